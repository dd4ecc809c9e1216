// SPDX-License-Identifier: Apache-2.0
// Division with exact remainder: |x| = quotient * |y| + rest, for fmod, remainder and remquo.
#include "math/device.h"
#include "math/scale.h"

struct division {
    uint rest, divisor; // mantissas, both times 2^exponent
    uint quotient;      // its low bits
    int exponent;
    bool negative; // the quotient was rounded up
};

// A mantissa of 24 bits, also of denormals.
static uint mantissa_of(float x, private int *exponent)
{
    uint bits = as_uint(x) & 0x7fffffffu;
    int zeros = (int)clz(bits) - 8;
    *exponent = bits < 0x800000u ? -149 - zeros : (int)(bits >> 23) - 150;
    return bits < 0x800000u ? bits << (zeros & 31) : (bits & 0x7fffffu) | 0x800000u;
}

// Neither is NaN, x is finite, y is not 0.
static bool is_divisible(float x, float y)
{
    return isfinite(x) && !isnan(y) && (as_uint(y) & 0x7fffffffu) != 0;
}

enum { DIGIT = 20 }; // bits of the quotient in a step

// The rest of the division of rest * 2^steps by divisor, 2^23 <= divisor < 2^24, |rest| < divisor. Digits are rounded to
// nearest, so rests may be negative between the steps: the product with the inverse (2.5 ulp) is wrong by 3 * 2^-23 of up
// to 2^20, which keeps |rest| below 0.875 * divisor.
static uint long_division(uint rest, uint divisor, int steps, private uint *quotient)
{
    float inverse = native_recip((float)(int)divisor);
    while (steps > 0) {
        int bits = min(steps, (int)DIGIT);
        float rounded = (float)(int)rest * inverse * power_of_two(bits) + 0x1.8p23f;
        uint digit = as_uint(rounded) - as_uint(0x1.8p23f);
        rest = (rest << bits) - digit * divisor;
        *quotient = (*quotient << bits) + digit;
        steps -= bits;
    }
    bool negative = (int)rest < 0;
    *quotient -= negative ? 1 : 0;
    return rest + (negative ? divisor : 0);
}

static struct division divide(float x, float y)
{
    struct division d;
    int x_exponent;
    d.rest = mantissa_of(x, &x_exponent);
    d.divisor = mantissa_of(y, &d.exponent);
    d.quotient = 0;
    d.negative = false;
    int steps = x_exponent - d.exponent;
    if (isinf(y) || steps < 0 || (as_uint(x) & 0x7fffffffu) == 0) {
        d.divisor = isinf(y) || steps < -1
                        ? ~0u
                        : d.divisor << 1; // below half of y, or undecided
        d.exponent = x_exponent;
        d.rest = (as_uint(x) & 0x7fffffffu) == 0 ? 0 : d.rest;
        return d;
    }
    d.quotient = 1;
    d.rest = long_division(d.rest - d.divisor, d.divisor, steps, &d.quotient);
    return d;
}

// The quotient rounded to nearest, ties to even.
static struct division divide_to_nearest(float x, float y)
{
    struct division d = divide(x, y);
    uint other = d.divisor - d.rest;
    d.negative = d.rest > other || (d.rest == other && (d.quotient & 1));
    d.rest = d.negative ? other : d.rest;
    d.quotient += d.negative ? 1 : 0;
    return d;
}

static float division_rest(struct division d, float x)
{
    uint sign = (as_uint(x) & 0x80000000u) ^ (d.negative ? 0x80000000u : 0u);
    return as_float(as_uint(scale((float)d.rest, d.exponent)) | sign);
}
