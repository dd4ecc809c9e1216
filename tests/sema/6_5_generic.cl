// options: -cl-std=CL2.0
kernel void k(global int *g, local int *l)
{
    int *p = 0;
    int n = 1;
    int *any = g; any = l; any = p; int *q = n ? any : any; *any = 1;
    g = (global int *)any; n = any == g; n = g != any; n = atomic_add((volatile global int *)g, 1);
}
// SPDX-License-Identifier: Apache-2.0
