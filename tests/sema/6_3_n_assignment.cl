struct S { int a; float4 v; };
kernel void k(global int *g, const global int *cg)
{
    int *p = 0;
    char c = 1;
    uchar uc = 1;
    short sh = 1;
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    int n = 1;
    int m = 1;
    float x = 1;
    void *vp = 0;
    struct S s = {1};
    n = x; f = 2; s = s; g = 0; g = (void *)0; cg = g; vp = p; p = vp; n += x; x += d; c += 1; uc *= 2; sh |= n; f *= f; f *= x; i >>= 2; n = m = 3;
}
// SPDX-License-Identifier: Apache-2.0
