// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 1 2 3 4 5 6 7 8
// arg: out float 8
// arg: out int 8
// expect: arg1 float 2 5 10 17 26 37 50 65
// expect: arg2 int 0 0 0 -1 -1 -1 -1 -1
kernel void k(global float8 *a, global float8 *b, global int8 *c)
{
    float8 x = a[0];
    b[0] = x * x + 1.0f;
    c[0] = x > 3.5f;
}
