kernel void k(global int *g, global float *gf)
{
    int n = 1;
    n = atomic_add(gf, 1.0f);
    n = atomic_add(n, 1);
    n = atomic_add(g);
}
// SPDX-License-Identifier: Apache-2.0
