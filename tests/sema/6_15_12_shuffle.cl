kernel void k()
{
    char4 c4 = 1;
    uchar4 uc4 = 1;
    float4 f = 1;
    float2 f2 = 1;
    float8 f8 = 1;
    uint4 u4 = 1;
    f = shuffle(f, u4); f2 = shuffle(f8, (uint2)(1, 2)); f = shuffle2(f, f, u4); f8 = shuffle2(f, f, (uint8)(1)); c4 = shuffle(c4, uc4);
}
// SPDX-License-Identifier: Apache-2.0
