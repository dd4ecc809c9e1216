struct S { int a; float4 v; };
kernel void k(global int *g)
{
    int *p = 0;
    float4 f = 1;
    int n = 1;
    void *vp = 0;
    int arr[4];
    struct S s = {1};
    p = &n; p = &arr[1]; p = &s.a; p = arr; g = &g[1]; vp = &f; n = *&n; float4 *q = &s.v; int (*r)[4] = &arr; n = (*r)[2];
}
// SPDX-License-Identifier: Apache-2.0
