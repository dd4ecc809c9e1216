int sum(int a, float b) { return a + b; }
float4 scale(float4 v, float s) { return v * s; }
void put(global int *p, int n) { *p = n; }
kernel void k(global int *g, float4 v)
{
    put(g, sum(1, 2));
    put(g + 1, sum('a', 1.5f));
    v = scale(v, 3);
    v = scale(1, 2.0f);
    put(0, 1);
}
// SPDX-License-Identifier: Apache-2.0
