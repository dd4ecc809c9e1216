#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/gemm.cl.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 1) readonly restrict buffer B { float b[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
const int TILE = 64, DEPTH = 16;
shared float left[DEPTH][TILE + 1], right[DEPTH][TILE];
void main()
{
    int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y), item = y * 16 + x;
    int row = int(gl_WorkGroupID.y) * TILE, column = int(gl_WorkGroupID.x) * TILE;
    float sum[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sum[i][j] = 0.0;
    for (int start = 0; start < n; start += DEPTH) {
        for (int i = 0; i < 4; i++) {
            int at = item + i * 256;
            left[at % DEPTH][at / DEPTH] = a[(row + at / DEPTH) * n + start + at % DEPTH];
            right[at / TILE][at % TILE] = b[(start + at / TILE) * n + column + at % TILE];
        }
        barrier();
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] = fma(left[k][y * 4 + i], right[k][j * 16 + x], sum[i][j]);
        barrier();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            result[(row + y * 4 + i) * n + column + j * 16 + x] = sum[i][j];
}
