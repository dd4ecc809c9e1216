kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    f = convert_float4(f2);
}
// SPDX-License-Identifier: Apache-2.0
