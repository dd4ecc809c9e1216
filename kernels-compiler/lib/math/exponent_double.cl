// SPDX-License-Identifier: Apache-2.0
// ldexp, ilogb, logb, nextafter of double: as for float (exponent.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static int exponent_of_d(double x)
{
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    return bits < 0x10000000000000ul ? -1011 - (int)clz(bits) : (int)(bits >> 52) - 1023;
}

LIB double ldexp(double x, int n)
{
    ulong bits = as_ulong(x), size = bits & 0x7ffffffffffffffful;
    int exponent = exponent_of_d(x), shift = (int)clz(size) - 11;
    ulong mantissa = size < 0x10000000000000ul ? size << (shift & 63) : size;
    int target = exponent + (n > 4000 ? 4000 : n < -4000 ? -4000 : n);
    target = target > 1200 ? 1200 : target < -1200 ? -1200 : target;
    int away = target > 900 ? 256 : target < -900 ? -256 : 0;
    ulong moved = (bits & 0x8000000000000000ul) | (mantissa & 0xffffffffffffful) |
                  (ulong)(target - away + 1023) << 52;
    double y = as_double(moved) * as_double((ulong)(away + 1023) << 52);
    return size == 0 || size >= 0x7ff0000000000000ul ? x : y;
}

LIB int ilogb(double x)
{
    ulong size = as_ulong(x) & 0x7ffffffffffffffful;
    int y = size == 0 ? FP_ILOGB0 : exponent_of_d(x);
    return size > 0x7ff0000000000000ul ? FP_ILOGBNAN : size == 0x7ff0000000000000ul ? INT_MAX : y;
}

LIB double logb(double x)
{
    ulong size = as_ulong(x) & 0x7ffffffffffffffful;
    double y = size == 0 ? -INFINITY : (double)exponent_of_d(x);
    return size >= 0x7ff0000000000000ul ? fabs(x) : y;
}

LIB double nextafter(double x, double y)
{
    ulong bits = as_ulong(x), goal = as_ulong(y), most = 0x7ffffffffffffffful;
    ulong size = bits & most, goal_size = goal & most;
    if (size > 0x7ff0000000000000ul || goal_size > 0x7ff0000000000000ul)
        return NAN;
    if (bits == goal || (size | goal_size) == 0)
        return y;
    if (size == 0)
        return as_double((goal & ~most) | 1);
    bool inwards = ((bits ^ goal) & ~most) != 0 || goal_size < size;
    return as_double(inwards ? bits - 1 : bits + 1);
}
#endif
