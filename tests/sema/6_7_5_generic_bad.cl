// options: -cl-std=CL3.0
kernel void k(global int *g, constant int *c)
{
    int *p = g;
    g = p;
    p = c;
    g = to_global(c);
    g = to_global(1);
    local int *l = to_global(p);
}
kernel void no(int *p) {}
// SPDX-License-Identifier: Apache-2.0
