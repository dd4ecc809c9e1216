// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer float 1 nan 3 nan
// arg: buffer float 2 2 nan nan
// arg: out float 4
// arg: out float 4
// expect: arg2 float 1 2 3 nan
// expect: arg3 float 2 2 3 nan
kernel void k(global float *a, global float *b, global float *lo, global float *hi)
{
    int i = get_global_id(0);
    lo[i] = fmin(a[i], b[i]);
    hi[i] = fmax(a[i], b[i]);
}
