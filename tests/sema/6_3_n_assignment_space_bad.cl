kernel void k(global int *g, local int *l, constant int *ci)
{
    int *p = 0;
    void *vp = 0;
    g = l;
    vp = g;
    g = vp;
    p = ci;
}
// SPDX-License-Identifier: Apache-2.0
