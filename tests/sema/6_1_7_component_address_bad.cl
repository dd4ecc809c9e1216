kernel void k()
{
    float4 f = 1;
    &f.x;
    &f[1];
}
// SPDX-License-Identifier: Apache-2.0
