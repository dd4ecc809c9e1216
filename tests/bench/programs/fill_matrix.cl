// SPDX-License-Identifier: Apache-2.0
// Fills an n x n matrix with a number that depends on the row: only stores, in work-groups of 8 x
// 8.
// local: 8 8
kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void fill_matrix(global const float *a, global const float *b, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n)
        out[y * n + x] = (float)y;
}
