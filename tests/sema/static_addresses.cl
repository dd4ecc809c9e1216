constant int table[4] = {1, 2, 3, 4};
struct holder { constant int *p; int n[2]; };
constant struct holder h = {table + 1, {1, 2}};
constant int *constant ends[2] = {&table[0], &h.n[1]};
constant long difference = &table[3] - &table[1];
kernel void k(global int *g)
{
    g[0] = *h.p + *ends[1];
}
// SPDX-License-Identifier: Apache-2.0
