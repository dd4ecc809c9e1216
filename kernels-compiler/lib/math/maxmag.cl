// SPDX-License-Identifier: Apache-2.0
// The argument of larger / smaller magnitude; fmax / fmin of equally large ones. Exact.
#include "lib.h"

#define MAGNITUDES(T)                                                                              \
    LIB T maxmag(T x, T y)                                                                         \
    {                                                                                              \
        T a = fabs(x), b = fabs(y);                                                                \
        return a > b ? x : b > a ? y : fmax(x, y);                                                 \
    }                                                                                              \
    LIB T minmag(T x, T y)                                                                         \
    {                                                                                              \
        T a = fabs(x), b = fabs(y);                                                                \
        return a < b ? x : b < a ? y : fmin(x, y);                                                 \
    }

MAGNITUDES(float)
#ifdef cl_khr_fp16
MAGNITUDES(half)
#endif
#ifdef cl_khr_fp64
MAGNITUDES(double)
#endif
