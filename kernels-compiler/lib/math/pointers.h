// SPDX-License-Identifier: Apache-2.0
// Functions with a second result behind a pointer: from NAME_of(x, &second) for scalars to all widths and address spaces.
#define OVERLOADED __attribute__((overloadable))

#define POINTER_HALVES(NAME, V, P, LOW, HIGH, PLOW, PHIGH, FIRST, LAST)                            \
    static OVERLOADED V NAME##_of(V x, private P *second)                                                  \
    {                                                                                              \
        V first;                                                                                   \
        P both;                                                                                    \
        PLOW low;                                                                                  \
        PHIGH high;                                                                                \
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

// T: the elements, P: of the second result
#define POINTER_FORMS(NAME, T, P)                                                                  \
    POINTER_HALVES(NAME, T##2, P##2, T, T, P, P, x, y)                                             \
    POINTER_HALVES(NAME, T##3, P##3, T##2, T, P##2, P, xy, z)                                      \
    POINTER_HALVES(NAME, T##4, P##4, T##2, T##2, P##2, P##2, lo, hi)                               \
    POINTER_HALVES(NAME, T##8, P##8, T##4, T##4, P##4, P##4, lo, hi)                               \
    POINTER_HALVES(NAME, T##16, P##16, T##8, T##8, P##8, P##8, lo, hi)                             \
    POINTER_SPACES(NAME, T, P)                                                                     \
    POINTER_SPACES(NAME, T##2, P##2)                                                               \
    POINTER_SPACES(NAME, T##3, P##3)                                                               \
    POINTER_SPACES(NAME, T##4, P##4)                                                               \
    POINTER_SPACES(NAME, T##8, P##8)                                                               \
    POINTER_SPACES(NAME, T##16, P##16)

// A half function from the float one.
#define POINTER_HALF(NAME, P, WIDE)                                                                \
    static OVERLOADED half NAME##_of(half x, private P *second)                                            \
    {                                                                                              \
        WIDE value;                                                                                \
        half first = (half)NAME##_of((float)x, &value);                                            \
        *second = (P)value;                                                                        \
        return first;                                                                              \
    }
