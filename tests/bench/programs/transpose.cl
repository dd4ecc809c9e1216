// SPDX-License-Identifier: Apache-2.0
// Transposes n x n floats with 32 x 32 tiles in local memory.
// local: 32 8
kernel void transpose(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float tile[32][33];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * 32, row = get_group_id(1) * 32;
    for (int i = y; i < 32; i += 8)
        tile[i][x] = a[(row + i) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = y; i < 32; i += 8)
        out[(column + i) * n + row + x] = tile[x][i];
}
