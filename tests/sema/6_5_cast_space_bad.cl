kernel void k(global int *g, local int *l, constant int *ci)
{
    int *p = 0;
    g = (global int *)l;
    l = (local int *)p;
    p = (int *)ci;
}
// SPDX-License-Identifier: Apache-2.0
