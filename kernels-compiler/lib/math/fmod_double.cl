// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo of double: as for float (fmod.cl), 11 bits of the quotient a step. Exact.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/pointers.h"
#include "math/scale_double.h"

struct division_d {
    ulong rest, divisor; // mantissas, both times 2^exponent
    uint quotient;       // its low bits
    int exponent;
    bool negative; // the quotient was rounded up
};

static ulong mantissa_of_d(double x, private int *exponent)
{
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    int zeros = (int)clz(bits) - 11;
    *exponent = bits < 0x10000000000000ul ? -1074 - zeros : (int)(bits >> 52) - 1075;
    return bits < 0x10000000000000ul ? bits << (zeros & 63)
                                     : (bits & 0xffffffffffffful) | 0x10000000000000ul;
}

static bool is_zero_d(double x)
{
    return (as_ulong(x) & 0x7ffffffffffffffful) == 0;
}

static bool is_divisible_d(double x, double y)
{
    return isfinite(x) && !isnan(y) && !is_zero_d(y);
}

static struct division_d divide_d(double x, double y)
{
    struct division_d d;
    int x_exponent;
    d.rest = mantissa_of_d(x, &x_exponent);
    d.divisor = mantissa_of_d(y, &d.exponent);
    d.quotient = 0;
    d.negative = false;
    int steps = x_exponent - d.exponent;
    if (isinf(y) || steps < 0 || is_zero_d(x)) {
        d.divisor = isinf(y) || steps < -1 ? ~0ul : d.divisor << 1;
        d.exponent = x_exponent;
        d.rest = is_zero_d(x) ? 0 : d.rest;
        return d;
    }
    d.quotient = d.rest >= d.divisor;
    d.rest -= d.quotient ? d.divisor : 0;
    while (steps > 0 && d.rest != 0) {
        uint bits = (uint)min(steps, 11);
        ulong digit = (d.rest << bits) / d.divisor;
        d.rest = (d.rest << bits) - digit * d.divisor;
        d.quotient = (d.quotient << bits) + (uint)digit;
        steps -= (int)bits;
    }
    d.quotient = steps > 31 ? 0 : d.quotient << steps;
    return d;
}

static struct division_d divide_to_nearest_d(double x, double y)
{
    struct division_d d = divide_d(x, y);
    ulong other = d.divisor - d.rest;
    d.negative = d.rest > other || (d.rest == other && (d.quotient & 1));
    d.rest = d.negative ? other : d.rest;
    d.quotient += d.negative ? 1 : 0;
    return d;
}

static double division_rest_d(struct division_d d, double x)
{
    ulong sign = (as_ulong(x) & 0x8000000000000000ul) ^ (d.negative ? 0x8000000000000000ul : 0ul);
    return as_double(as_ulong(scale_d((double)d.rest, d.exponent)) | sign);
}

LIB double fmod(double x, double y)
{
    return is_divisible_d(x, y) ? division_rest_d(divide_d(x, y), x) : NAN;
}

LIB double remainder(double x, double y)
{
    return is_divisible_d(x, y) ? division_rest_d(divide_to_nearest_d(x, y), x) : NAN;
}

static OVERLOADED double remquo_of(double x, double y, private int *quotient)
{
    bool possible = is_divisible_d(x, y);
    struct division_d d = divide_to_nearest_d(x, y);
    int low = (int)(d.quotient & 0x7f);
    *quotient = !possible ? 0 : signbit(x) != signbit(y) ? -low : low;
    return possible ? division_rest_d(d, x) : NAN;
}

REMQUO(double)
#endif
