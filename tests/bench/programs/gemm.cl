// SPDX-License-Identifier: Apache-2.0
// C = A B, n x n, 64 x 64 tiles in local memory, 4 x 4 results for each work-item.
// local: 16 16
#define TILE 64
#define DEPTH 16

kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void gemm(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float left[DEPTH][TILE + 1], right[DEPTH][TILE];
    int x = get_local_id(0), y = get_local_id(1), item = y * 16 + x;
    int row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
    float sum[4][4] = {{0}};
    for (int start = 0; start < n; start += DEPTH) {
        for (int i = 0; i < 4; i++) {
            int at = item + i * 256;
            left[at % DEPTH][at / DEPTH] = a[(row + at / DEPTH) * n + start + at % DEPTH];
            right[at / TILE][at % TILE] = b[(start + at / TILE) * n + column + at % TILE];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] = mad(left[k][y * 4 + i], right[k][j * 16 + x], sum[i][j]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[(row + y * 4 + i) * n + column + j * 16 + x] = sum[i][j];
}
