// SPDX-License-Identifier: Apache-2.0
// Quotients of doubles from the reciprocal of floats, for devices whose own are not used. Correctly rounded.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/device.h"

#define SIGN 0x80000000u

// 1 / y, rounded, of a y with has_float(): from a start within 2^-19 by a step that leaves its cube, 2^-57, and another
// one. The start is above 1 / y, so that for a y whose bits are all set, where 1 / y is next to the middle of two
// numbers, the result is the upper one: with that, quotients are rounded correctly (Markstein 1990).
static double inverse_of(double y, uint high)
{
    uint start = (as_uint(native_recip(float_of(high))) >> 3) + 0x38000001u;
    double r = of_words(0, start | (high & SIGN)), minus_y = opposite(y), e = fma(minus_y, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r);
    return fma(fma(minus_y, r, 1.0), r, r);
}

static double quotient_of(double x, double y, uint high)
{
    double r = inverse_of(y, high), q = x * r;
    return fma(fma(q, opposite(y), x), r, q);
}

// The significand of x, which is neither 0 nor infinite, in 1 .. 2; adds its exponent times `sign` to *exponent.
static double significand_of(double x, int sign, int *exponent)
{
    uint high = high_of(x) & ~SIGN;
    if (high < 0x00100000u) {
        x *= 0x1p54;
        high = high_of(x) & ~SIGN;
        *exponent -= 54 * sign;
    }
    *exponent += ((int)(high >> 20) - 1023) * sign;
    return of_words(as_uint2(x).x, (high & 0xfffffu) | 0x3ff00000u);
}

// q 2^exponent below 2^-1021, where q is rounded and `residual` has the sign of its error: two bits below the last one
// tell how the bits that the result drops continue.
static ulong denormal_of(double q, double residual, int exponent)
{
    ulong bits = (as_ulong(q) & 0x000fffffffffffffUL | 0x0010000000000000UL) << 2;
    int shift = 3 - exponent - (int)(high_of(q) >> 20); // at least 2
    bits += residual > 0.0 ? 1 : residual < 0.0 ? -1 : 0;
    if (shift > 60)
        return 0;
    ulong middle = 1UL << (shift - 1), lost = bits & ((middle << 1) - 1), kept = bits >> shift;
    return kept + (lost > middle || (lost == middle && kept & 1));
}

__attribute__((noinline)) LIB double any_quotient(double x, double y)
{
    uint sign = (high_of(x) ^ high_of(y)) & SIGN;
    double infinite = of_words(0, sign | 0x7ff00000u), zero = of_words(0, sign);
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(x))
        return isinf(y) ? as_double(0x7ff8000000000000UL) : infinite;
    if (y == 0.0)
        return x == 0.0 ? as_double(0x7ff8000000000000UL) : infinite;
    if (x == 0.0 || isinf(y))
        return zero;
    int exponent = 0;
    double n = significand_of(x, 1, &exponent), d = significand_of(y, -1, &exponent);
    double q = quotient_of(n, d, high_of(d));
    if (exponent > 1024)
        return infinite;
    if (exponent < -1021) {
        ulong bits = denormal_of(q, fma(-q, d, n), exponent);
        return as_double(bits | (ulong)sign << 32);
    }
    int part = exponent >> 1;
    double scaled = q * of_words(0, (uint)(part + 1023) << 20) * of_words(0, (uint)(exponent - part + 1023) << 20);
    return of_words(as_uint2(scaled).x, high_of(scaled) | sign);
}

// The last steps are exact if x, y and with them the quotient are far from the ends of the range.
LIB double close_quotient(double x, double y)
{
    uint high = high_of(y);
    double q = quotient_of(x, y, high);
    return has_float(high) && has_float(high_of(x)) ? q : any_quotient(x, y);
}
#endif
