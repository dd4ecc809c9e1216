// SPDX-License-Identifier: Apache-2.0
// fmod, remainder, remquo: long division of the mantissas, 8 bits of the quotient a step. Exact.
#include "lib.h"
#include "math/pointers.h"
#include "math/remainder.h"

// fmod. 
LIB float fmod(float x, float y)
{
    return is_divisible(x, y) ? division_rest(divide(x, y), x) : NAN;
}

// remainder. 
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

#define REMQUO_HALVES(V, Q, LOW, HIGH, FIRST, LAST)                                                \
    static OVERLOADED V remquo_of(V x, V y, private Q *quotient)                                           \
    {                                                                                              \
        V rest;                                                                                    \
        Q both;                                                                                    \
        LOW low;                                                                                   \
        HIGH high;                                                                                 \
        rest.FIRST = remquo_of(x.FIRST, y.FIRST, &low);                                            \
        rest.LAST = remquo_of(x.LAST, y.LAST, &high);                                              \
        both.FIRST = low;                                                                          \
        both.LAST = high;                                                                          \
        *quotient = both;                                                                          \
        return rest;                                                                               \
    }

#define REMQUO_SPACE(V, Q, SPACE)                                                                  \
    LIB V remquo(V x, V y, SPACE Q *quotient)                                                      \
    {                                                                                              \
        Q value;                                                                                   \
        V rest = remquo_of(x, y, &value);                                                          \
        *quotient = value;                                                                         \
        return rest;                                                                               \
    }

#define REMQUO_SPACES(V, Q)                                                                        \
    REMQUO_SPACE(V, Q, global)                                                                     \
    REMQUO_SPACE(V, Q, local)                                                                      \
    REMQUO_SPACE(V, Q, private)                                                                    \
    REMQUO_SPACE(V, Q, generic)

#define REMQUO(T)                                                                                  \
    REMQUO_HALVES(T##2, int2, int, int, x, y)                                                      \
    REMQUO_HALVES(T##3, int3, int2, int, xy, z)                                                    \
    REMQUO_HALVES(T##4, int4, int2, int2, lo, hi)                                                  \
    REMQUO_HALVES(T##8, int8, int4, int4, lo, hi)                                                  \
    REMQUO_HALVES(T##16, int16, int8, int8, lo, hi)                                                \
    REMQUO_SPACES(T, int)                                                                          \
    REMQUO_SPACES(T##2, int2)                                                                      \
    REMQUO_SPACES(T##3, int3)                                                                      \
    REMQUO_SPACES(T##4, int4)                                                                      \
    REMQUO_SPACES(T##8, int8)                                                                      \
    REMQUO_SPACES(T##16, int16)

REMQUO(float)

#ifdef cl_khr_fp16
static OVERLOADED half remquo_of(half x, half y, private int *quotient)
{
    return (half)remquo_of((float)x, (float)y, quotient);
}

REMQUO(half)
#endif
