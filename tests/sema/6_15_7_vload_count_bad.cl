kernel void k()
{
    float4 f = 1;
    f = vload4(0);
}
// SPDX-License-Identifier: Apache-2.0
