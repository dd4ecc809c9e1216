int sum(int a, float b) { return a; }
void put(global int *p, local int *q) {}
kernel void k(global int *g, local int *l, float4 v)
{
    sum(1);
    sum(1, 2, 3);
    sum(v, 1);
    put(l, l);
    put(g, g);
    g = put(g, l);
}
// SPDX-License-Identifier: Apache-2.0
