// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int -7 100 2147483647 -2147483648
// arg: out uint 4
// arg: out int 4
// arg: out int 4
// arg: out int 4
// expect: arg1 uint 7 100 2147483647 2147483648
// expect: arg2 int -6 101 2147483647 -2147483647
// expect: arg3 int 0 25 1 0
// expect: arg4 int -7 50 50 -50
kernel void k(global int4 *a, global uint4 *b, global int4 *c, global int4 *d, global int4 *e)
{
    int4 x = a[0];
    b[0] = abs(x);
    c[0] = add_sat(x, (int4)(1));
    d[0] = clz(x);
    e[0] = clamp(x, -50, 50);
}
