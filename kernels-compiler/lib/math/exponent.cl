// SPDX-License-Identifier: Apache-2.0
// ldexp, ilogb, logb, nextafter: by bit manipulation. Exact, except that ldexp rounds to denormals (once).
#include "lib.h"
#include "math/device.h"
#include "math/scale.h"

// The exponent of |x| > 0 and finite, denormals as if normalized
static int exponent_of(float x)
{
    uint bits = as_uint(x) & 0x7fffffffu;
    return bits < 0x800000u ? -118 - (int)clz(bits) : (int)(bits >> 23) - 127;
}

// If the new exponent could be out of range, it is inserted with an offset of 64 towards zero, which one product
// undoes.
LIB float ldexp(float x, int n)
{
    if (QUICK && (uint)(n + 126) <= 252)
        return x * power_of_two(n);
    uint bits = as_uint(x), size = bits & 0x7fffffffu;
    int exponent = exponent_of(x), shift = (int)clz(size) - 8;
    uint mantissa = size < 0x800000u ? size << (shift & 31) : size;
    int target = exponent + (n > 600 ? 600 : n < -600 ? -600 : n);
    target = target > 180 ? 180 : target < -180 ? -180 : target;
    int away = target > 100 ? 64 : target < -100 ? -64 : 0;
    uint moved = (bits & 0x80000000u) | (mantissa & 0x7fffffu) | (uint)(target - away + 127) << 23;
    float y = as_float(moved) * as_float((uint)(away + 127) << 23);
    return size == 0 || size >= 0x7f800000u ? x : y;
}

LIB int ilogb(float x)
{
    uint size = as_uint(x) & 0x7fffffffu;
    int y = size == 0 ? FP_ILOGB0 : exponent_of(x);
    return size > 0x7f800000u ? FP_ILOGBNAN : size == 0x7f800000u ? INT_MAX : y;
}

LIB float logb(float x)
{
    uint size = as_uint(x) & 0x7fffffffu;
    float y = size == 0 ? -INFINITY : (float)exponent_of(x);
    return size >= 0x7f800000u ? fabs(x) : y;
}

// Numbers as sign and magnitude are ordered like their bits.
LIB float nextafter(float x, float y)
{
    uint bits = as_uint(x), goal = as_uint(y), size = bits & 0x7fffffffu,
         goal_size = goal & 0x7fffffffu;
    if (size > 0x7f800000u || goal_size > 0x7f800000u)
        return NAN;
    if (bits == goal || (size | goal_size) == 0)
        return y;
    if (size == 0)
        return as_float((goal & 0x80000000u) | 1);
    bool inwards = ((bits ^ goal) & 0x80000000u) || goal_size < size;
    return as_float(inwards ? bits - 1 : bits + 1);
}
