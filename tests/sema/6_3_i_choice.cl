// SPDX-License-Identifier: Apache-2.0
// A conditional operator with two void operands; pointers to different types become void pointers.
void g(int x) { x ? (void)2 : (void)x++; x ? (void)0 : (void)1; x ? x : (void)0; x ? 1 : (void)0; }
kernel void f(global int *p, global float *q)
{
    global void *r = p[0] ? p : q;
    global int *s = p ?: 0;
    g(*s);
}
