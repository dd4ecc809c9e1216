// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 1 2 3 4
// arg: out int 16
// expect: arg1 int 4 3 2 1  1 1 2 2  1 9 3 8  1 2 3 4
kernel void k(global int4 *a, global int4 *b)
{
    int4 v = a[0];
    b[0] = v.wzyx;
    b[1] = v.xxyy;
    int4 w = v;
    w.s13 = (int2)(9, 8);
    b[2] = w;
    b[3] = (int4)(v.lo, v.hi);
}
