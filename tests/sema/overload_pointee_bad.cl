// SPDX-License-Identifier: Apache-2.0
// A pointer to another type, or one that drops const, matches an overload with a warning; two such matches are ambiguous.
#define OVERLOAD __attribute__((overloadable))
int OVERLOAD one(global int *p) { return *p; }
int OVERLOAD one(global int *p, int n) { return p[n]; }
int OVERLOAD two(global int *p) { return *p; }
int OVERLOAD two(global float *p) { return *p; }
int OVERLOAD better(global int *p, int x) { return *p; }
int OVERLOAD better(global uint *p, uint x) { return *p; }
kernel void f(global short *s, const global int *c, global uchar *bytes, global float *q, global uint *u)
{
    int x = one(s) + one(c) + better(u, 1);
    float h = vload_half(0, bytes);
    vstore_half(h, 0, bytes);
    atomic_add(q, 1);
    x = two(s);
    vload4(0, bytes + x).x ? 1 : 2;
    float4 y = vload4(0, (global uchar2 *)bytes);
}
