// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer float 1 nan 2 -0.0
// arg: buffer float 2 1 nan 0.0
// arg: out int 4
// expect: arg2 int 0x29 0x20 0x20 0x1a
kernel void k(global float *a, global float *b, global int *s)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    s[i] = (x < y) | (x == y) << 1 | (x > y) << 2 | (x <= y) << 3 | (x >= y) << 4 | (x != y) << 5;
}
