// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 1 2 -3
// arg: buffer int 2 2 2
// arg: out int 3
// arg: out int 3
// expect: arg2 int 0x29 0x1a 0x29
// expect: arg3 int 0x29 0x1a 0x34
kernel void k(global int *a, global int *b, global int *s, global int *u)
{
    int i = get_global_id(0);
    int x = a[i], y = b[i];
    s[i] = (x < y) | (x == y) << 1 | (x > y) << 2 | (x <= y) << 3 | (x >= y) << 4 | (x != y) << 5;
    uint p = a[i], q = b[i];
    u[i] = (p < q) | (p == q) << 1 | (p > q) << 2 | (p <= q) << 3 | (p >= q) << 4 | (p != q) << 5;
}
