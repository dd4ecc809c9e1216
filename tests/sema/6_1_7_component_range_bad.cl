kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    f2.z = 1;
    f.s5 = 1;
}
// SPDX-License-Identifier: Apache-2.0
