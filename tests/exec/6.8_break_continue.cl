// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 0 3 7 100
// arg: out int 4
// expect: arg1 int 0 1 9 25
kernel void k(global int *n, global int *out)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < n[i]; j++) {
        if (j % 2 == 0)
            continue;
        if (j > 10)
            break;
        sum += j;
    }
    out[i] = sum;
}
