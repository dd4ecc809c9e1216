// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: out int 3
// expect: arg0 int 499500 500499 501498
kernel void k(global int *out)
{
    int v[1000], i = get_global_id(0), sum = 0;
    for (int j = 0; j < 1000; j++)
        v[(j * 7) % 1000] = j;
    v[999] += i * 999;
    for (int j = 0; j < 1000; j++)
        sum += v[j];
    out[i] = sum;
}
