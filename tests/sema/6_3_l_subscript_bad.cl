kernel void k(global int *g)
{
    float4 f = 1;
    int4 i = 1;
    int n = 1;
    float x = 1;
    n[1];
    g[x];
    f[i] = 1;
}
// SPDX-License-Identifier: Apache-2.0
