kernel void k()
{
    float4 f = 1;
    float x = 1;
    f = convert_float4(x);
}
// SPDX-License-Identifier: Apache-2.0
