kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    f.xx = f2;
}
// SPDX-License-Identifier: Apache-2.0
