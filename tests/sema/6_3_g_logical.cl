kernel void k(global int *g)
{
    short4 s4 = 1;
    float4 f = 1;
    int4 i = 1;
    long4 l4 = 1;
    double d = 1;
    double4 d4 = 1;
    int n = 1;
    float x = 1;
    n = n && x; n = g && !n; n = d || 0; i = f && f; i = i || 1; i = !f; l4 = !d4; s4 = !s4; n = !x; n = !g;
}
// SPDX-License-Identifier: Apache-2.0
