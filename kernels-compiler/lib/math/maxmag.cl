// SPDX-License-Identifier: Apache-2.0
// The argument of larger or smaller magnitude; fmax or fmin if these are equal. Exact.
#include "lib.h"

// By the bits, which distinguish denormals on every device; NaN is above infinity.
#define MAGNITUDES(T, I, NUMBER, INFINITE)                                                         \
    LIB T maxmag(T x, T y)                                                                         \
    {                                                                                              \
        I a = NUMBER(fabs(x)), b = NUMBER(fabs(y));                                                \
        T larger = a > b ? x : b > a ? y : NUMBER(x) < 0 ? y : x;                                  \
        return a > INFINITE || b > INFINITE ? fmax(x, y) : larger;                                 \
    }                                                                                              \
    LIB T minmag(T x, T y)                                                                         \
    {                                                                                              \
        I a = NUMBER(fabs(x)), b = NUMBER(fabs(y));                                                \
        T smaller = a < b ? x : b < a ? y : NUMBER(x) < 0 ? x : y;                                 \
        return a > INFINITE || b > INFINITE ? fmin(x, y) : smaller;                                \
    }

MAGNITUDES(float, int, as_int, 0x7f800000)
#ifdef cl_khr_fp16
MAGNITUDES(half, short, as_short, 0x7c00)
#endif
#ifdef cl_khr_fp64
MAGNITUDES(double, long, as_long, 0x7ff0000000000000)
#endif
