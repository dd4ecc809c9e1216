kernel void k()
{
    float4 f = 1;
    f = (float4)(1, 2, 3);
}
// SPDX-License-Identifier: Apache-2.0
