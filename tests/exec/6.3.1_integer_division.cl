// SPDX-License-Identifier: Apache-2.0
// run: k global 6
// arg: buffer int 7 -7 7 -7 100 0
// arg: buffer int 2 2 -2 -2 7 3
// arg: out int 6
// arg: out int 6
// expect: arg2 int 3 -3 -3 3 14 0
// expect: arg3 int 1 -1 1 -1 2 0
kernel void k(global int *a, global int *b, global int *q, global int *r)
{
    int i = get_global_id(0);
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}
