kernel void k(global int *g, local int *l, global float *gf, const global int *cg)
{
    float4 f = 1;
    long L = 1;
    size_t sz = 1;
    int n = 1;
    float x = 1;
    g = (global int *)gf; g = (global int *)L; gf = (global float *)cg; L = (long)g; sz = (size_t)l; f = *(global float4 *)g; n = *(int *)&x;
}
// SPDX-License-Identifier: Apache-2.0
