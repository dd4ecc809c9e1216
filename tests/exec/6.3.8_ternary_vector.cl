// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer int 1 -1 0 -2147483648
// arg: out int 4
// expect: arg1 int 20 10 20 10
kernel void k(global int4 *a, global int4 *b)
{
    b[0] = a[0] ? (int4)(10) : (int4)(20);
}
