// SPDX-License-Identifier: Apache-2.0
// run: k global 6
// arg: buffer int -5 0 3 10 50 1000
// arg: out int 6
// expect: arg1 int -1 0 1 2 2 3
kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0), x = a[i], r;
    if (x < 0)
        r = -1;
    else if (x == 0)
        r = 0;
    else if (x < 10)
        r = 1;
    else if (x < 100)
        r = 2;
    else
        r = 3;
    b[i] = r;
}
