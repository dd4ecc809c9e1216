kernel void k(global int *g, local int *l)
{
    int n = 1;
    void *vp = 0;
    n = g == l;
    n = vp == g;
}
// SPDX-License-Identifier: Apache-2.0
