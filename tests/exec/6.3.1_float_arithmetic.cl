// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer float 1.5 -3 1e10
// arg: buffer float 0.25 7 3
// arg: out float 12
// expect: arg2 float 1.75 4 10000000003 1.25 -10 9999999997 0.375 -21 3e10 6 -0.428571433 3333333333.333
kernel void k(global float *a, global float *b, global float *c)
{
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
    c[i + 3] = a[i] - b[i];
    c[i + 6] = a[i] * b[i];
    c[i + 9] = a[i] / b[i];
}
