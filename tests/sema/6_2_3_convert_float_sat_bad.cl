kernel void k()
{
    float4 f = 1;
    f = convert_float4_sat(f);
}
// SPDX-License-Identifier: Apache-2.0
