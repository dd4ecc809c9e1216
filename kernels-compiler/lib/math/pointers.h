// SPDX-License-Identifier: Apache-2.0
// Functions with a second result by pointer: from NAME_of(x, &second) for scalars, defines all widths and address
// spaces.
#define OVERLOADED __attribute__((overloadable))

#define POINTER_HALVES(NAME, V, P, LOW, HIGH, FIRST, LAST)                                         \
    static OVERLOADED V NAME##_of(V x, private P *second)                                          \
    {                                                                                              \
        V first;                                                                                   \
        P both;                                                                                    \
        LOW low;                                                                                   \
        HIGH high;                                                                                 \
        first.FIRST = NAME##_of(x.FIRST, &low);                                                    \
        first.LAST = NAME##_of(x.LAST, &high);                                                     \
        both.FIRST = low;                                                                          \
        both.LAST = high;                                                                          \
        *second = both;                                                                            \
        return first;                                                                              \
    }

#define POINTER_SPACE(NAME, V, P, SPACE)                                                           \
    LIB V NAME(V x, SPACE P *second)                                                               \
    {                                                                                              \
        P value;                                                                                   \
        V first = NAME##_of(x, &value);                                                            \
        *second = value;                                                                           \
        return first;                                                                              \
    }

#define POINTER_SPACES(NAME, V, P)                                                                 \
    POINTER_SPACE(NAME, V, P, global)                                                              \
    POINTER_SPACE(NAME, V, P, local)                                                               \
    POINTER_SPACE(NAME, V, P, private)                                                             \
    POINTER_SPACE(NAME, V, P, generic)

// T: type of the elements, P: of the second result
#define POINTER_FORMS(NAME, T, P)                                                                  \
    POINTER_HALVES(NAME, T##2, P##2, P, P, x, y)                                                   \
    POINTER_HALVES(NAME, T##3, P##3, P##2, P, xy, z)                                               \
    POINTER_HALVES(NAME, T##4, P##4, P##2, P##2, lo, hi)                                           \
    POINTER_HALVES(NAME, T##8, P##8, P##4, P##4, lo, hi)                                           \
    POINTER_HALVES(NAME, T##16, P##16, P##8, P##8, lo, hi)                                         \
    POINTER_SPACES(NAME, T, P)                                                                     \
    POINTER_SPACES(NAME, T##2, P##2)                                                               \
    POINTER_SPACES(NAME, T##3, P##3)                                                               \
    POINTER_SPACES(NAME, T##4, P##4)                                                               \
    POINTER_SPACES(NAME, T##8, P##8)                                                               \
    POINTER_SPACES(NAME, T##16, P##16)

// Defines the half function by the float one.
#define POINTER_HALF(NAME, P, WIDE)                                                                \
    static OVERLOADED half NAME##_of(half x, private P *second)                                    \
    {                                                                                              \
        WIDE value;                                                                                \
        half first = (half)NAME##_of((float)x, &value);                                            \
        *second = (P)value;                                                                        \
        return first;                                                                              \
    }

// remquo, from remquo_of for scalars of T
#define REMQUO_HALVES(V, Q, LOW, HIGH, FIRST, LAST)                                                \
    static OVERLOADED V remquo_of(V x, V y, private Q *quotient)                                   \
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
