// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo: long division of the mantissas, 20 bits of the quotient per step. Exact.
#include "lib.h"
#include "math/pointers.h"
#include "math/remainder.h"

// For quotients below 2^19, the nearest integer to an approximation within 2^-20.9 is the integer part or one more,
// and both product and difference are exact.
static float quick_rest(float x, float y, float quotient)
{
    float q = (quotient + 0x1.8p23f) - 0x1.8p23f, rest = mad(-q, y, x);
    return rest < 0.0f ? rest + y : rest;
}

static float long_fmod(float x, float y)
{
    uint size = as_uint(x) & 0x7fffffffu, by = as_uint(y) & 0x7fffffffu, quotient = 1;
    int x_exponent = max((int)(size >> 23), 1) - 1, exponent;
    uint rest = size - ((uint)x_exponent << 23), divisor = mantissa_of(y, &exponent);
    rest = long_division(rest - divisor, divisor, x_exponent - 149 - exponent, &quotient);
    float result = size < by ? x : copysign(scale((float)(int)rest, exponent), x);
    return size < 0x7f800000u && by - 1 < 0x7f800000u ? result : NAN;
}

LIB float fmod(float x, float y)
{
    float size = fabs(x), by = fabs(y), root = native_rsqrt(by), quotient = size * (root * root);
    if (QUICK && by > 0x1p-90f && by < 0x1p100f && quotient < 0x1p19f)
        return copysign(quick_rest(size, by, quotient), x);
    return long_fmod(x, y);
}

LIB float remainder(float x, float y)
{
    return is_divisible(x, y) ? division_rest(divide_to_nearest(x, y), x) : NAN;
}

static OVERLOADED float remquo_of(float x, float y, private int *quotient)
{
    bool possible = is_divisible(x, y);
    struct division d = divide_to_nearest(x, y);
    int low = (int)(d.quotient & 0x7f);
    *quotient = !possible ? 0 : signbit(x) != signbit(y) ? -low : low;
    return possible ? division_rest(d, x) : NAN;
}

REMQUO(float)

#ifdef cl_khr_fp16
static OVERLOADED half remquo_of(half x, half y, private int *quotient)
{
    return (half)remquo_of((float)x, (float)y, quotient);
}

REMQUO(half)
#endif
