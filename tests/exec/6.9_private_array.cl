// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 3 1 2 0
// arg: out int 4
// expect: arg1 int 9 1 4 0
kernel void k(global int *a, global int *b)
{
    int squares[4], i = get_global_id(0);
    for (int j = 0; j < 4; j++)
        squares[j] = j * j;
    b[i] = squares[a[i]];
}
