kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    int4 i = 1;
    i = f2 == f;
}
// SPDX-License-Identifier: Apache-2.0
