kernel void k(global int *g, local int *l, global float *gf)
{
    int n = 1;
    uint u = 1;
    float x = 1;
    n = atomic_add(g, 1); n = atomic_inc(g); n = atomic_dec(l); n = atom_add(g, 1); n = atomic_cmpxchg(g, 1, 2); n = atomic_max(&l[1], 3);
    x = atomic_xchg(gf, 1.0f); n = atomic_xchg(g, n); n = atom_inc(&g[2]); u = atomic_or((volatile global uint *)g, 1u); n = atomic_sub(g, u);
}
// SPDX-License-Identifier: Apache-2.0
