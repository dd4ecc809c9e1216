struct S { int a; float4 v; };
kernel void k(global int *g, const global int *cg)
{
    int *p = 0;
    float4 f = 1;
    size_t sz = 1;
    int n = 1;
    float x = 1;
    void *vp = 0;
    struct S s = {1};
    n = n ? 1 : x; sz = n ? sz : -1; s = n ? s : s; g = n ? g : 0; g = n ? 0 : g; cg = n ? g : cg; n ? (void)1 : (void)2;
    f = n ? f : 1.0f; n = g ? 1 : 2; vp = n ? vp : p;
}
// SPDX-License-Identifier: Apache-2.0
