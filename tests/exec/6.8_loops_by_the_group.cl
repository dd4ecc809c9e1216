// SPDX-License-Identifier: Apache-2.0
// Loops from a work-item's number by the work-group size: the same number of iterations for all work-items, or for some one more.
// run: f global 8 local 8
// arg: buffer int 0 0 0 0 0 0 0 0
// arg: buffer int 0 0 0 0 0 0 0 0
// arg: buffer int 0 0 0 0 0 0 0 0
// arg: buffer int 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
// expect: arg0 int 1616 1719 1822 1925 2028 2131 2234 2337
// expect: arg1 int 24 27 30 33 16 18 20 22
// expect: arg2 int 24 25 26 27 28 29 22 23

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void f(global int *even, global int *uneven, global int *last, global const int *in)
{
    int lid = get_local_id(0), kept[3], n = 0, sum = 0, i;
    for (i = lid; i < 24; i += 8, n++)
        kept[n] = in[i];
    for (int j = 0; j < 3; j++)
        sum += kept[j] * (j == 2 ? 100 : j + 1);
    even[lid] = sum;
    sum = 0;
    for (i = lid; i < 20; i += 8)
        sum += in[i];
    uneven[lid] = sum;
    i = lid;
    do
        i += 8;
    while (i <= 21);
    last[lid] = i;
}
