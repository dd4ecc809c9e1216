// SPDX-License-Identifier: Apache-2.0
// Correctly rounded x / y, for -cl-fp32-correctly-rounded-divide-sqrt on devices whose division is not (they have a
// fused multiply-add). Denormal results are as the device's products: zero if those are flushed.
#include "lib.h"
#include "math/scale.h"

// x, y in 2^-60 .. 2^60. The quotient is within 1 ULP. The remainder x - qy is exact for it and for its neighbor on
// the other side of x / y: the one with the smaller remainder is chosen; a tie is impossible.
static float divide_usual(float x, float y)
{
    float q = x / y, rest = fma(-q, y, x);
    bool larger = (as_uint(rest) >> 31) == (as_uint(x) >> 31);
    float other = as_float(as_uint(q) + (larger ? 1 : -1)), other_rest = fma(-other, y, x);
    return fabs(other_rest) < fabs(rest) ? other : q;
}

static bool is_usual(float x)
{
    return (as_uint(x) & 0x7fffffffu) - 0x21800000u < 0x3c000000u;
}

// The mantissa, 1 .. 2, with the sign, from the bits; denormals are normalized.
static float mantissa_of(float x, private int *exponent)
{
    uint bits = as_uint(x) & 0x7fffffffu, sign = as_uint(x) & 0x80000000u;
    *exponent = 127;
    if (bits < 0x00800000u) {
        bits = as_uint((float)bits);
        *exponent = 127 + 149;
    }
    *exponent = (int)(bits >> 23) - *exponent;
    return as_float(sign | (bits & 0x7fffffu) | 0x3f800000u);
}

LIB float divide_rounded(float x, float y)
{
    if (is_usual(x) && is_usual(y))
        return divide_usual(x, y);
    uint size = as_uint(x) & 0x7fffffffu, by = as_uint(y) & 0x7fffffffu;
    if (size == 0 || by == 0 || size >= 0x7f800000u || by >= 0x7f800000u)
        return x / y;
    int up, down;
    x = mantissa_of(x, &up);
    y = mantissa_of(y, &down);
    int k = up - down;
    return scale(scale(divide_usual(x, y), k / 2), k - k / 2);
}
