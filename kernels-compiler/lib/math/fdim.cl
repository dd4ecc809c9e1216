// SPDX-License-Identifier: Apache-2.0
// x - y if positive, else +0; NaN is preserved. Correctly rounded.
#include "lib.h"

#define FDIM(T)                                                                                    \
    LIB T fdim(T x, T y)                                                                           \
    {                                                                                              \
        return x <= y ? (T)0 : x - y;                                                              \
    }

FDIM(float)
#ifdef cl_khr_fp16
FDIM(half)
#endif
#ifdef cl_khr_fp64
FDIM(double)
#endif
