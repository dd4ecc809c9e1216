kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    int4 i = 1;
    f = f + i;
    f = f + f2;
    f *= i;
}
// SPDX-License-Identifier: Apache-2.0
