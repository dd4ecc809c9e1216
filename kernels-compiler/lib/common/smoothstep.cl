// SPDX-License-Identifier: Apache-2.0
// Hermite interpolation between two edges (OpenCL C 6.15.4); error a few ULP, none is required.
#include "lib.h"

#define SMOOTHSTEP(T)                                                                              \
    LIB T smoothstep(T edge0, T edge1, T x)                                                        \
    {                                                                                              \
        T t = clamp((x - edge0) / (edge1 - edge0), (T)0, (T)1);                                    \
        return t * t * ((T)3 - (T)2 * t);                                                          \
    }

SMOOTHSTEP(float)
#ifdef cl_khr_fp16
SMOOTHSTEP(half)
#endif
#ifdef cl_khr_fp64
SMOOTHSTEP(double)
#endif
