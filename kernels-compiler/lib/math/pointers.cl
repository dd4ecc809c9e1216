// SPDX-License-Identifier: Apache-2.0
// fract, modf, frexp, lgamma_r: the second result is stored by a pointer to any address space. All but lgamma_r are
// exact.
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

// By the bits, since arithmetic may flush denormals. DIGITS: of the fraction; masks of all bits but the sign, of
// infinity, of 0.5.
#define FREXP(T, I, DIGITS, UNSIGNED, INFINITE, HALF)                                              \
    static OVERLOADED T frexp_of(T x, private int *exponent)                                       \
    {                                                                                              \
        I bits = as_##I(x), magnitude = bits & UNSIGNED, fraction = ((I)1 << DIGITS) - 1;          \
        I spare = sizeof(I) * 8 - 1 - DIGITS, shift = max((I)clz(magnitude), spare) - spare;       \
        bool number = magnitude != 0 && magnitude < INFINITE;                                      \
        int raised = (int)max((I)(magnitude >> DIGITS), (I)1) - (int)(HALF >> DIGITS);             \
        *exponent = number ? raised - (int)shift : 0;                                              \
        return number ? as_##T((I)((bits & ~UNSIGNED) | HALF | (magnitude << shift & fraction))) : x;\
    }                                                                                              \
    POINTER_FORMS(frexp, T, int)

// At non-positive integers, lgamma is infinite and the sign is 0.
#define LGAMMA_R(T)                                                                                \
    static OVERLOADED T lgamma_r_of(T x, private int *sign)                                        \
    {                                                                                              \
        T down = floor(x), half_down = down * (T)0.5f;                                             \
        int of_negative = half_down == floor(half_down) ? 1 : -1;                                  \
        of_negative = down == x ? 0 : of_negative;                                                 \
        *sign = x > (T)0 || isnan(x) ? 1 : of_negative;                                            \
        return lgamma(x);                                                                          \
    }                                                                                              \
    POINTER_FORMS(lgamma_r, T, int)

FRACT_MODF(float, 0x1.fffffep-1f)
FREXP(float, uint, 23, 0x7fffffffu, 0x7f800000u, 0x3f000000u)
LGAMMA_R(float)

#ifdef cl_khr_fp16
FRACT_MODF(half, (half)0x1.ffcp-1f)
FREXP(half, ushort, 10, (ushort)0x7fff, (ushort)0x7c00, (ushort)0x3800)
LGAMMA_R(half)
#endif

#ifdef cl_khr_fp64
FRACT_MODF(double, 0x1.fffffffffffffp-1)
FREXP(double, ulong, 52, 0x7ffffffffffffffful, 0x7ff0000000000000ul, 0x3fe0000000000000ul)
LGAMMA_R(double)
#endif
