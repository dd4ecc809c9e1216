// SPDX-License-Identifier: Apache-2.0
// C = A B, n x n, all column-major: a work-item has 16 results of one row and adds rows of a tile
// of B, which is in local memory with a padding column. Each iteration reads 16 adjacent elements
// of it, one by one.
void add_row(float factor, local const float *row, float sum[16])
{
    for (int i = 0; i < 16; i++)
        sum[i] += factor * row[i];
}

kernel __attribute__((reqd_work_group_size(16, 4, 1)))
void gemm_rows(global const float *a, global const float *b, global float *out, int n)
{
    local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(0) * 64 + y * 16 + x, column = get_group_id(1) * 16;
    float sum[16] = {0};
    for (int start = 0; start < n; start += 16) {
        for (int i = 0; i < 16; i += 4)
            tile[x][y + i] = b[(column + y + i) * n + start + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            add_row(a[(start + k) * n + row], tile[k], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 16; i++)
        out[(column + i) * n + row] = sum[i];
}
