kernel void k(global int *g, local int *l, const global int *cg)
{
    int *p = 0;
    int n = 1;
    void *vp = 0;
    n = g == cg; n = g != 0; n = g < cg; n = vp == (void *)p; n = 0 == l; n = g == (global int *)0;
}
// SPDX-License-Identifier: Apache-2.0
