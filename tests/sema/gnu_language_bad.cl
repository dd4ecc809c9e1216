// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL1.2
// Errors of a ?: b, old-style functions, designated ranges, __func__.
int missing(a, b) int a; { return a + b; }
int other(a) int c; { return a; }
int twice(a) int a; int a; { return a; }
int names(a, b);
int mixed(a, int b) { return 0; }
struct s { int a; };
kernel void f(global int *p, global float *q, global float4 *v)
{
    struct s s = {1};
    p[0] = q[0] ?: 3;
    v[0] = v[1] ?: v[2];
    s ?: s;
    (void)0 ?: 3;
    p[1] = p ?: 1.0f;
    int a[4] = {[2 ... 1] = 7};
    int b[4] = {[2 ... 4] = 7};
    int c[4] = {[p[0] ... 4] = 7};
    struct s d = {[0 ... 1] = 7};
    struct s e = {b: 7};
    __func__[0] = 'a';
    p[2] = q[0] ? 1 : 2;
}
