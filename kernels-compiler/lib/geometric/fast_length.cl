// SPDX-License-Identifier: Apache-2.0
// The fast_ forms (OpenCL C 6.15.5): one dot product and the device's square root; intermediate overflow is allowed.
#include "lib.h"

#define FAST_GEOMETRIC(V)                                                                          \
    LIB float fast_length(V v)                                                                     \
    {                                                                                              \
        return half_sqrt(dot(v, v));                                                               \
    }                                                                                              \
    LIB float fast_distance(V a, V b)                                                              \
    {                                                                                              \
        return fast_length(a - b);                                                                 \
    }                                                                                              \
    LIB V fast_normalize(V v)                                                                      \
    {                                                                                              \
        float square = dot(v, v);                                                                  \
        return v * half_rsqrt(square == 0.0f ? 1.0f : square); /* without a branch */              \
    }

FAST_GEOMETRIC(float)
FAST_GEOMETRIC(float2)
FAST_GEOMETRIC(float3)
FAST_GEOMETRIC(float4)
