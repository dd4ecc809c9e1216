// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 3 0 7 5
// arg: buffer int 7 3 9 5
// arg: out int 4
// expect: arg2 int 1 -1 0 3
int find(global int *a, int n, int what)
{
    for (int j = 0; j < n; j++)
        if (a[j] == what)
            return j;
    return -1;
}

kernel void k(global int *what, global int *a, global int *out)
{
    out[get_global_id(0)] = find(a, 4, what[get_global_id(0)]);
}
