// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 1 5 10
// arg: out int 3
// expect: arg1 int 1 15 55
kernel void k(global int *n, global int *out)
{
    int i = get_global_id(0), sum = 0, j = 0;
again:
    sum += ++j;
    if (j < n[i])
        goto again;
    out[i] = sum;
}
