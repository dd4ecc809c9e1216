// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 0 1 5 10
// arg: out int 4
// arg: out int 4
// arg: out int 4
// expect: arg1 int 0 1 15 55
// expect: arg2 int 0 1 15 55
// expect: arg3 int 1 1 15 55
kernel void k(global int *n, global int *f, global int *w, global int *d)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 1; j <= n[i]; j++)
        sum += j;
    f[i] = sum;
    int j = sum = 0;
    while (j < n[i])
        sum += ++j;
    w[i] = sum;
    j = 1;
    sum = 0;
    do
        sum += j;
    while (++j <= n[i]);
    d[i] = sum;
}
