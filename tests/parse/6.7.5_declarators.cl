void f(int a[], local float b[3], global int *const *c, int (*d)[4], const int e[2][3], global float4 *restrict g)
{
    int *x[2], (*y)[2], z[2][3];
    global const uchar *p, *const q = p;
}
// SPDX-License-Identifier: Apache-2.0
