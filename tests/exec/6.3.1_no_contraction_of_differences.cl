// SPDX-License-Identifier: Apache-2.0
// The rounding of x + y must not be optimized away.
// run: k global 2
// arg: buffer float 1 0.1
// arg: buffer float 1e8 3e7
// arg: out float 2
// expect: arg2 float 0 0
kernel void k(global float *a, global float *b, global float *c)
{
    int i = get_global_id(0);
    c[i] = (a[i] + b[i]) - b[i];
}
