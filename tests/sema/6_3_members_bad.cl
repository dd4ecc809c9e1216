struct S { int a; float4 v; };
union U { int i; float f; };
kernel void k(global int *g)
{
    int n = 1;
    struct S s = {1};
    union U un;
    n = s.q;
    g->a;
    n = un.q;
}
// SPDX-License-Identifier: Apache-2.0
