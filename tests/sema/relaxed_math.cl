// options: -cl-fast-relaxed-math
kernel void k(global float *g, float4 v)
{
    g[0] = sin(g[1]) + cos(g[2]) * exp(g[3]) + log2(g[4]);
    v = tan(v) + powr(v, v);
    g[5] = v.x;
}
// SPDX-License-Identifier: Apache-2.0
