float sign_of(float x) { return x; }
kernel void k(global float *g)
{
    float dot = 3;
    g[0] = dot * sign_of(g[1]);
    int max = 3, min = 2;
    g[2] = max - min;
}
// SPDX-License-Identifier: Apache-2.0
