// SPDX-License-Identifier: Apache-2.0
// Both arms of a choice without a value; pointers of different types meet in void.
void g(int x) { x ? (void)2 : (void)x++; x ? (void)0 : (void)1; x ? x : (void)0; x ? 1 : (void)0; }
kernel void f(global int *p, global float *q)
{
    global void *r = p[0] ? p : q;
    global int *s = p ?: 0;
    g(*s);
}
