// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 1 -2 2147483647 4
// arg: out int 4
// arg: int 5
// expect: arg1 int 6 3 -2147483644 9
kernel void k(global const int *a, global int *b, int n)
{
    b[get_global_id(0)] = a[get_global_id(0)] + n;
}
