// SPDX-License-Identifier: Apache-2.0
// C = A B of row-major n x n matrices without matrix units, for comparison: each work-item computes
// 8 x 8 of its work-group's BM x BN of C; the slices of A and B are in local memory. Defined by -D
// as in gemm.cl; LOCAL is BM * BN / 64.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define UNROLL __attribute__((opencl_unroll_hint))

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void plain(__global const AB *restrict a, __global const AB *restrict b, __global CD *restrict c,
           uint n)
{
    __local CD left[BK][BM + 1], right[BK][BN + 1];
    uint item = get_local_id(0), across = BN / 8;
    uint row = get_group_id(0) / (n / BN) * BM, column = get_group_id(0) % (n / BN) * BN;
    uint x = item % across, y = item / across;
    CD sum[8][8] = {{0}};
    for (uint k = 0; k < n; k += BK) {
        for (uint at = item; at < BM * BK; at += LOCAL)
            left[at % BK][at / BK] = a[(row + at / BK) * n + k + at % BK];
        for (uint at = item; at < BN * BK; at += LOCAL)
            if (BY_COLUMNS)
                right[at % BK][at / BK] = b[(column + at / BK) * n + k + at % BK];
            else
                right[at / BN][at % BN] = b[(k + at / BN) * n + column + at % BN];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint depth = 0; depth < BK; depth++) {
            CD p[8], q[8];
            UNROLL for (uint i = 0; i < 8; i++) {
                p[i] = left[depth][y + i * (BM / 8)];
                q[i] = right[depth][x + i * across];
            }
            UNROLL for (uint i = 0; i < 8; i++)
                UNROLL for (uint j = 0; j < 8; j++)
                    sum[i][j] += p[i] * q[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    UNROLL for (uint i = 0; i < 8; i++)
        UNROLL for (uint j = 0; j < 8; j++)
            c[(row + y + i * (BM / 8)) * n + column + x + j * across] = sum[i][j];
}
