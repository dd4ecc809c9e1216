// SPDX-License-Identifier: Apache-2.0
// Quotients of doubles from the reciprocal of floats, for devices whose own are not used. Correctly rounded.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/device.h"

#define SIGN 0x80000000u

// -1 / y, rounded, from a start within 2^-19 by a step that leaves its cube, 2^-57, and another one. The start is beyond
// -1 / y, so that for a y whose bits are all set, where 1 / y is next to the middle of two numbers, the result is the larger
// one: with that, quotients are rounded correctly (Markstein 1990). Negative, so that no number changes its sign before the
// last one. `error` is that of the start: if it is small, -1 / y is in 2^-384 .. 2^384, and the result is right.
struct inverse_d {
    double minus, error;
};

static struct inverse_d inverse_of(double y, uint high)
{
    uint start = (as_uint(native_recip(float_of(high))) >> 3) + 0x38000001u;
    double r = of_words(0, start | (~high & SIGN)), error = fma(y, r, 1.0), e = fma(error, error, error);
    r = fma(r, e, r);
    return (struct inverse_d){fma(fma(y, r, 1.0), r, r), error};
}

static bool is_right(struct inverse_d r)
{
    return is_below(r.error, 0x3ee00000u); // 2^-17
}

static double quotient_of(double x, double y, double minus_inverse)
{
    double minus_q = x * minus_inverse;
    return opposite(fma(fma(minus_q, y, x), minus_inverse, minus_q));
}

static bool is_finite(uint high)
{
    return (high & ~SIGN) < 0x7ff00000u;
}

// For y = 0, infinite or NaN: 1 / y, for others its sign, so that the product with an x that is one of these is x / y
static double simple_inverse(double y)
{
    uint high = high_of(y);
    return isnan(y) ? y : of_words(0, (high & SIGN) | (y == 0.0 ? 0x7ff00000u : is_finite(high) ? 0x3ff00000u : 0u));
}

// The significand of |x|, which is neither 0 nor infinite, in 1 .. 2; adds its exponent times `sign` to *exponent.
static double significand_of(double x, int sign, int *exponent)
{
    bool tiny = (high_of(x) & ~SIGN) < 0x00100000u;
    double y = tiny ? x * 0x1p54 : x;
    uint high = high_of(y) & ~SIGN;
    *exponent += ((int)(high >> 20) - (tiny ? 1077 : 1023)) * sign;
    return of_words(as_uint2(y).x, (high & 0xfffffu) | 0x3ff00000u);
}

// q 2^exponent below 2^-1022, where q is rounded and `error` has the sign of its error: a sum whose last bit is that of
// the result rounds it. Where q is in the middle of two numbers, its error decides.
static ulong denormal_of(double q, double error, int exponent)
{
    double base = of_words(0, (uint)(1 - exponent) << 20), sum = base + q, lost = q - (sum - base), middle = base * 0x1p-53;
    ulong bits = as_ulong(sum) - as_ulong(base);
    return lost == middle && error < 0.0 ? bits + 1 : lost == -middle && error > 0.0 ? bits - 1 : bits;
}

// Beyond this exponent quotients are infinite, and zero below its negative.
#define MOST 1100

__attribute__((noinline)) LIB double any_quotient(double x, double y)
{
    uint sign = (high_of(x) ^ high_of(y)) & SIGN;
    if (x == 0.0 || y == 0.0 || !is_finite(high_of(x)) || !is_finite(high_of(y)))
        return x * simple_inverse(y);
    int exponent = 0;
    double n = significand_of(x, 1, &exponent), d = significand_of(y, -1, &exponent);
    double q = quotient_of(n, d, inverse_of(d, high_of(d)).minus);
    exponent = clamp(exponent, -MOST, MOST);
    if (exponent + (int)(high_of(q) >> 20) < 1)
        return as_double(denormal_of(q, fma(q, d, -n), exponent) | (ulong)sign << 32);
    int part = exponent >> 1;
    double scaled = q * of_words(0, (uint)(part + 1023) << 20) * of_words(0, (uint)(exponent - part + 1023) << 20);
    return of_words(as_uint2(scaled).x, high_of(scaled) | sign);
}

// The last steps are exact if y and the quotient are far from the ends of the range.
LIB double close_quotient(double x, double y)
{
    struct inverse_d r = inverse_of(y, high_of(y));
    double q = quotient_of(x, y, r.minus);
    return is_right(r) && has_float(high_of(x)) ? q : any_quotient(x, y);
}

// 1 / y: rounded without the last steps of other quotients
LIB double close_inverse(double y)
{
    struct inverse_d r = inverse_of(y, high_of(y));
    return is_right(r) ? opposite(r.minus) : any_quotient(1.0, y);
}
#endif
