kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    int4 i = 1;
    uint4 u4 = 1;
    int n = 1;
    f = i;
    i = u4;
    f = f2;
    n = i;
}
// SPDX-License-Identifier: Apache-2.0
