// SPDX-License-Identifier: Apache-2.0
// C = A B of row-major n x n matrices with matrix units.
//
// A work-group computes BM x BN of C. Slices of A and B, BK deep, are loaded from global memory in
// 128-bit accesses through registers to local memory, whose rows have PAD bytes of padding against
// bank conflicts; the next slice is loaded while one is multiplied. Each of the WM x WN sub-groups
// has its part of the block in accumulators of TM x TN. n is a multiple of BM, BN and BK.
//
// Defined by -D: AB, SUM, CD (types of A and B, of sums, of C) and AB_SIZE; LOCAL (work-items of a
// work-group), BM, BN, BK, WM, WN, TM, TN, TK, PAD, STAGES (slices in local memory: 1 or 2), GROUP
// (blocks of rows that use the same columns of B consecutively), BY_COLUMNS (1: B is column-major).
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TILE(type, rows, columns, use) \
    type __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, use)))
typedef TILE(AB, TM, TK, CLK_COOPERATIVE_MATRIX_A) a_tile;
typedef TILE(AB, TK, TN, CLK_COOPERATIVE_MATRIX_B) b_tile;
typedef TILE(SUM, TM, TN, CLK_COOPERATIVE_MATRIX_ACCUMULATOR) c_tile;
typedef TILE(CD, TM, TN, CLK_COOPERATIVE_MATRIX_ACCUMULATOR) out_tile;

#if AB_SIZE == 1
#define SIGNS (CLK_COOPERATIVE_MATRIX_OPERAND_MATRIX_A_SIGNED | \
               CLK_COOPERATIVE_MATRIX_OPERAND_MATRIX_B_SIGNED | \
               CLK_COOPERATIVE_MATRIX_OPERAND_MATRIX_C_SIGNED | \
               CLK_COOPERATIVE_MATRIX_OPERAND_MATRIX_RESULT_SIGNED)
#else
#define SIGNS CLK_COOPERATIVE_MATRIX_OPERAND_NONE
#endif
#if BY_COLUMNS
#define B_LAYOUT CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#else
#define B_LAYOUT CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#endif

#define UNROLL __attribute__((opencl_unroll_hint))

enum {
    WIDE = 16 / AB_SIZE, // components in a uint4
    A_ROWS = BM, A_ROW = BK / WIDE, A_STRIDE = A_ROW + PAD / 16, // in uint4s
    B_ROWS = BY_COLUMNS ? BN : BK, B_ROW = (BY_COLUMNS ? BK : BN) / WIDE, B_STRIDE = B_ROW + PAD / 16,
    A_STEP = LOCAL / A_ROW, B_STEP = LOCAL / B_ROW, // rows loaded by the work-group at once
    A_LOADS = A_ROWS / A_STEP, B_LOADS = B_ROWS / B_STEP,
    A_SLICE = A_ROWS * A_STRIDE, B_SLICE = B_ROWS * B_STRIDE,
    ROWS = BM / WM / TM, COLUMNS = BN / WN / TN, // tiles of a sub-group
};

// The work-group's block of C: (column, row), in blocks.
uint2 block_of(uint id, uint n)
{
    uint down = n / BM, across = n / BN;
    uint first = id / (GROUP * across) * GROUP, high = min(down - first, (uint)GROUP);
    uint inside = id % (GROUP * across);
    return (uint2)(inside / high, first + inside % high);
}

// sum += the sub-group's rows of a slice of A times its columns of a slice of B.
void multiply(c_tile sum[ROWS][COLUMNS], __local const AB *left, __local const AB *right)
{
    UNROLL for (uint k = 0; k < BK; k += TK) {
        a_tile x[ROWS];
        UNROLL for (uint i = 0; i < ROWS; i++)
            x[i] = coop_mat_load(left + i * TM * A_STRIDE * WIDE + k,
                                 CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, A_STRIDE * WIDE);
        UNROLL for (uint j = 0; j < COLUMNS; j++) {
            b_tile y = coop_mat_load(right + (BY_COLUMNS ? j * TN * B_STRIDE * WIDE + k
                                                         : k * B_STRIDE * WIDE + j * TN),
                                     B_LAYOUT, B_STRIDE * WIDE);
            UNROLL for (uint i = 0; i < ROWS; i++)
                sum[i][j] = coop_matmul_add(x[i], y, sum[i][j], SIGNS);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void gemm(__global const uint4 *restrict a, __global const uint4 *restrict b,
          __global CD *restrict c, uint n)
{
    __local uint4 left[STAGES * A_SLICE], right[STAGES * B_SLICE];
    uint4 next_a[A_LOADS], next_b[B_LOADS];
    c_tile sum[ROWS][COLUMNS];

    uint item = get_local_id(0), row_size = n / WIDE, stage = 0;
    uint2 block = block_of(get_group_id(0), n);
    uint row = get_sub_group_id() / WN * (BM / WM), column = get_sub_group_id() % WN * (BN / WN);
    uint x_at = row * A_STRIDE * WIDE, y_at = BY_COLUMNS ? column * B_STRIDE * WIDE : column;

    // The source indices of this work-item's vectors (32-bit indices use fewer registers than
    // pointers), and their indices in a slice.
    uint a_from = (block.y * BM + item / A_ROW) * row_size + item % A_ROW;
    uint b_from = BY_COLUMNS ? (block.x * BN + item / B_ROW) * row_size + item % B_ROW
                             : item / B_ROW * row_size + block.x * BN / WIDE + item % B_ROW;
    uint a_place = item / A_ROW * A_STRIDE + item % A_ROW;
    uint b_place = item / B_ROW * B_STRIDE + item % B_ROW;

    UNROLL for (uint i = 0; i < A_LOADS; i++)
        left[a_place + i * A_STEP * A_STRIDE] = a[a_from + i * A_STEP * row_size];
    UNROLL for (uint i = 0; i < B_LOADS; i++)
        right[b_place + i * B_STEP * B_STRIDE] = b[b_from + i * B_STEP * row_size];
    UNROLL for (uint i = 0; i < ROWS; i++)
        UNROLL for (uint j = 0; j < COLUMNS; j++)
            sum[i][j] = (c_tile)(0);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint k = BK; k < n; k += BK) {
        a_from += A_ROW;
        b_from += BY_COLUMNS ? B_ROW : BK * row_size;
        UNROLL for (uint i = 0; i < A_LOADS; i++)
            next_a[i] = a[a_from + i * A_STEP * row_size];
        UNROLL for (uint i = 0; i < B_LOADS; i++)
            next_b[i] = b[b_from + i * B_STEP * row_size];
        multiply(sum, (__local const AB *)(left + stage * A_SLICE) + x_at,
                 (__local const AB *)(right + stage * B_SLICE) + y_at);
        if (STAGES == 1)
            barrier(CLK_LOCAL_MEM_FENCE);
        else
            stage ^= 1;
        UNROLL for (uint i = 0; i < A_LOADS; i++)
            left[stage * A_SLICE + a_place + i * A_STEP * A_STRIDE] = next_a[i];
        UNROLL for (uint i = 0; i < B_LOADS; i++)
            right[stage * B_SLICE + b_place + i * B_STEP * B_STRIDE] = next_b[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    multiply(sum, (__local const AB *)(left + stage * A_SLICE) + x_at,
             (__local const AB *)(right + stage * B_SLICE) + y_at);

    c += (block.y * BM + row) * n + block.x * BN + column;
    UNROLL for (uint i = 0; i < ROWS; i++)
        UNROLL for (uint j = 0; j < COLUMNS; j++)
            coop_mat_store(c + i * TM * n + j * TN, (out_tile)sum[i][j],
                           CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, n);
}
