// SPDX-License-Identifier: Apache-2.0
// The functions of half, computed in float and rounded once: 0.51 ULP at most, except lgamma; exact where the float
// ones are.
#include "lib.h"

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ONE(NAME)                                                                                  \
    LIB half NAME(half x)                                                                          \
    {                                                                                              \
        return (half)NAME((float)x);                                                               \
    }

#define TWO(NAME)                                                                                  \
    LIB half NAME(half x, half y)                                                                  \
    {                                                                                              \
        return (half)NAME((float)x, (float)y);                                                     \
    }

#define WITH_INT(NAME)                                                                             \
    LIB half NAME(half x, int n)                                                                   \
    {                                                                                              \
        return (half)NAME((float)x, n);                                                            \
    }

ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi)
ONE(cbrt) ONE(cos) ONE(cosh) ONE(cospi) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10) ONE(exp2) ONE(expm1)
ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rsqrt) ONE(sin) ONE(sinh)
ONE(sinpi) ONE(tan) ONE(tanh) ONE(tanpi) ONE(tgamma)
TWO(atan2) TWO(atan2pi) TWO(fmod) TWO(hypot) TWO(pow) TWO(powr) TWO(remainder)
WITH_INT(ldexp) WITH_INT(pown) WITH_INT(rootn)

LIB int ilogb(half x)
{
    return ilogb((float)x);
}

// Numbers as sign and magnitude are ordered like their bits.
LIB half nextafter(half x, half y)
{
    int bits = as_ushort(x), goal = as_ushort(y), size = bits & 0x7fff, goal_size = goal & 0x7fff;
    bool inwards = ((bits ^ goal) & 0x8000) || goal_size < size;
    int next = size == 0 ? (goal & 0x8000) | 1 : bits + (inwards ? -1 : 1);
    next = bits == goal || (size | goal_size) == 0 ? goal : next;
    next = size > 0x7c00 || goal_size > 0x7c00 ? 0x7e00 : next;
    return as_half((ushort)next);
}
#endif
