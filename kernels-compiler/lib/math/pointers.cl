// SPDX-License-Identifier: Apache-2.0
// fract, modf, frexp, lgamma_r: what they give beside their result goes behind a pointer of any
// address space. All but lgamma_r exact.
#include "lib.h"
#include "math/pointers.h"

// BELOW: the largest number below 1
#define FRACT_MODF(T, BELOW)                                                                       \
    static OVERLOADED T fract_of(T x, private T *whole)                                            \
    {                                                                                              \
        T down = floor(x), y = x - down;                                                           \
        y = y >= (T)1 ? BELOW : y;                                                                 \
        *whole = down;                                                                             \
        return x == (T)0 || isinf(x) ? copysign((T)0, x) : y;                                      \
    }                                                                                              \
    static OVERLOADED T modf_of(T x, private T *whole)                                             \
    {                                                                                              \
        T in = trunc(x);                                                                           \
        *whole = in;                                                                               \
        return copysign(isinf(x) ? (T)0 : x - in, x);                                              \
    }                                                                                              \
    POINTER_FORMS(fract, T, T)                                                                     \
    POINTER_FORMS(modf, T, T)

// lgamma is infinite, with the sign 0, at integers that are not positive.
#define FREXP_LGAMMA_R(T)                                                                          \
    static OVERLOADED T frexp_of(T x, private int *exponent)                                       \
    {                                                                                              \
        int e = ilogb(x);                                                                          \
        e = e == FP_ILOGB0 || e == FP_ILOGBNAN ? 0 : e + 1;                                        \
        *exponent = e;                                                                             \
        return ldexp(x, -e);                                                                       \
    }                                                                                              \
    static OVERLOADED T lgamma_r_of(T x, private int *sign)                                        \
    {                                                                                              \
        T down = floor(x), half_down = down * (T)0.5f;                                             \
        int of_negative = half_down == floor(half_down) ? 1 : -1;                                  \
        of_negative = down == x ? 0 : of_negative;                                                 \
        *sign = x > (T)0 || isnan(x) ? 1 : of_negative;                                            \
        return lgamma(x);                                                                          \
    }                                                                                              \
    POINTER_FORMS(frexp, T, int)                                                                   \
    POINTER_FORMS(lgamma_r, T, int)

FRACT_MODF(float, 0x1.fffffep-1f)
FREXP_LGAMMA_R(float)

#ifdef cl_khr_fp16
FRACT_MODF(half, (half)0x1.ffcp-1f)
FREXP_LGAMMA_R(half)
#endif

#ifdef cl_khr_fp64
FRACT_MODF(double, 0x1.fffffffffffffp-1)
FREXP_LGAMMA_R(double)
#endif
