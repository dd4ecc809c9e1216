// SPDX-License-Identifier: Apache-2.0
// run: k global 6
// arg: buffer float 1.5 -1.5 2.5 -0.4 7 -2.6
// arg: out float 30
// expect: arg1 float 1 -2 2 -1 7 -3  2 -1 3 -0.0 7 -2  1 -1 2 -0.0 7 -2  2 -2 2 -0.0 7 -3  2 -2 3 -0.0 7 -3
kernel void k(global float *a, global float *b)
{
    int i = get_global_id(0);
    b[i] = floor(a[i]);
    b[i + 6] = ceil(a[i]);
    b[i + 12] = trunc(a[i]);
    b[i + 18] = rint(a[i]);
    b[i + 24] = round(a[i]);
}
