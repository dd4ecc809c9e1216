// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 0..15
// arg: out int 16
// arg: out int 8
// arg: out int 8
// expect: arg1 int 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// expect: arg2 int 0 2 4 6 8 10 12 14
// expect: arg3 int 8 9 10 11 12 13 14 15
kernel void k(global int16 *a, global int16 *b, global int8 *c, global int8 *d)
{
    int16 v = a[0];
    b[0] = v.sfedcba9876543210;
    c[0] = v.even;
    d[0] = v.hi;
}
