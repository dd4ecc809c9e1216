// options: -cl-std=CL3.0
// Pointers without an address space are generic if the device has the feature.
#ifndef __opencl_c_generic_address_space
#error no feature
#endif
struct s { int *p; };
void f(int *p) { *p = 1; }
kernel void k(global int *g, local int *l)
{
    struct s s = {g};
    generic int *q = l;
    const int *c = g;
    int n = 0, *r = &n;
    f(g); f(l); f(&n); f(s.p); f(q);
    g = to_global(q); l = to_local(r); private int *own = to_private(s.p);
    n = get_fence(c) == CLK_GLOBAL_MEM_FENCE;
    global int *back = (global int *)q;
}
// SPDX-License-Identifier: Apache-2.0
