kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    int2 i2 = 1;
    f = (float4)(f2, i2);
}
// SPDX-License-Identifier: Apache-2.0
