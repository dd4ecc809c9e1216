#version 450
// SPDX-License-Identifier: Apache-2.0
// C = A B of row-major n x n matrices with matrices of sub-groups (GL_KHR_cooperative_matrix).
//
// A work-group computes BM x BN of C. Slices of A and B, BK deep, are loaded from global memory in
// 128-bit accesses through registers to shared memory, whose rows have PAD components of padding
// against bank conflicts; the next slice is loaded while one is multiplied. Each of the WM x WN
// sub-groups has its part of the block in accumulators of TM x TN. n is a multiple of BM, BN and BK.
// Compiled with AB and CD, the component types, and BITS, the size of AB.
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_buffer_reference : require
#ifdef BFLOAT
#extension GL_EXT_bfloat16 : require
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LOCAL = 256;
layout(constant_id = 1) const uint BM = 128;
layout(constant_id = 2) const uint BN = 128;
layout(constant_id = 3) const uint BK = 32;
layout(constant_id = 4) const uint WM = 2;
layout(constant_id = 5) const uint WN = 4;
layout(constant_id = 6) const uint TM = 16;
layout(constant_id = 7) const uint TN = 16;
layout(constant_id = 8) const uint TK = 16;
layout(constant_id = 9) const uint PAD = 8;
layout(constant_id = 10) const uint STAGES = 1;       // slices in shared memory
layout(constant_id = 11) const uint GROUP = 8;        // blocks of rows that use the same columns consecutively
layout(constant_id = 12) const bool BY_COLUMNS = false; // B is column-major
layout(constant_id = 13) const uint SIZE = 0;         // n, if known at compile time

layout(buffer_reference, buffer_reference_align = 16) readonly buffer Vectors { uvec4 at[]; };
layout(buffer_reference, buffer_reference_align = 16) writeonly buffer Result { CD at[]; };
layout(push_constant) uniform Push {
    Vectors a, b;
    Result c;
    uint n;
} push;
#ifdef DESCRIPTORS
layout(std430, binding = 0) readonly buffer A { uvec4 at[]; } a_set;
layout(std430, binding = 1) readonly buffer B { uvec4 at[]; } b_set;
layout(std430, binding = 2) writeonly buffer C { CD at[]; } c_set;
#define A_AT(i) a_set.at[i]
#define B_AT(i) b_set.at[i]
#define C_AT c_set.at
#else
#define A_AT(i) push.a.at[i]
#define B_AT(i) push.b.at[i]
#define C_AT push.c.at
#endif

const uint WIDE = 128 / BITS; // components in a vector
const uint A_ROW = BK / WIDE, A_STRIDE = (BK + PAD) / WIDE;
const uint B_ROWS = BY_COLUMNS ? BN : BK;
const uint B_ROW = (BY_COLUMNS ? BK : BN) / WIDE, B_STRIDE = B_ROW + PAD / WIDE;
const uint A_STEP = LOCAL / A_ROW, B_STEP = LOCAL / B_ROW; // rows loaded by the work-group at once
const uint A_LOADS = BM / A_STEP, B_LOADS = B_ROWS / B_STEP;
const uint A_SLICE = BM * A_STRIDE, B_SLICE = B_ROWS * B_STRIDE;
const uint ROWS = BM / WM / TM, COLUMNS = BN / WN / TN; // tiles of a sub-group
const uint DEPTH = BK / TK;
const int B_LAYOUT = BY_COLUMNS ? gl_CooperativeMatrixLayoutColumnMajor
                                : gl_CooperativeMatrixLayoutRowMajor;

shared uvec4 left[STAGES * A_SLICE];
shared uvec4 right[STAGES * B_SLICE];

uvec4 next_a[A_LOADS], next_b[B_LOADS];
coopmat<CD, gl_ScopeSubgroup, TM, TN, gl_MatrixUseAccumulator> sum[ROWS][COLUMNS];

uvec2 block_of(uint id, uint n)
{
    uint down = n / BM, across = n / BN;
    uint first = id / (GROUP * across) * GROUP, high = min(down - first, GROUP);
    uint inside = id % (GROUP * across);
    return uvec2(first + inside % high, inside / high);
}

void fetch(uint a_from, uint b_from, uint wide_n)
{
    [[unroll]] for (uint i = 0; i < A_LOADS; i++)
        next_a[i] = A_AT(a_from + i * A_STEP * wide_n);
    [[unroll]] for (uint i = 0; i < B_LOADS; i++)
        next_b[i] = B_AT(b_from + i * B_STEP * wide_n);
}

void put(uint stage, uint a_to, uint b_to)
{
    [[unroll]] for (uint i = 0; i < A_LOADS; i++)
        left[stage * A_SLICE + a_to + i * A_STEP * A_STRIDE] = next_a[i];
    [[unroll]] for (uint i = 0; i < B_LOADS; i++)
        right[stage * B_SLICE + b_to + i * B_STEP * B_STRIDE] = next_b[i];
}

void multiply(uint stage, uint row, uint column)
{
    [[unroll]] for (uint k = 0; k < DEPTH; k++) {
        coopmat<AB, gl_ScopeSubgroup, TM, TK, gl_MatrixUseA> x[ROWS];
        [[unroll]] for (uint i = 0; i < ROWS; i++)
            coopMatLoad(x[i], left, stage * A_SLICE + (row + i * TM) * A_STRIDE + k * TK / WIDE,
                        A_STRIDE, gl_CooperativeMatrixLayoutRowMajor);
        [[unroll]] for (uint j = 0; j < COLUMNS; j++) {
            coopmat<AB, gl_ScopeSubgroup, TK, TN, gl_MatrixUseB> y;
            uint from = BY_COLUMNS ? (column + j * TN) * B_STRIDE + k * TK / WIDE
                                   : k * TK * B_STRIDE + (column + j * TN) / WIDE;
            coopMatLoad(y, right, stage * B_SLICE + from, B_STRIDE, B_LAYOUT);
            [[unroll]] for (uint i = 0; i < ROWS; i++)
                sum[i][j] = coopMatMulAdd(x[i], y, sum[i][j]);
        }
    }
}

void main()
{
    uint n = SIZE != 0 ? SIZE : push.n, wide_n = n / WIDE, item = gl_LocalInvocationID.x;
    uvec2 block = block_of(gl_WorkGroupID.x, n);
    uint row = gl_SubgroupID / WN * (BM / WM), column = gl_SubgroupID % WN * (BN / WN);
    uint a_from = (block.x * BM + item / A_ROW) * wide_n + item % A_ROW;
    uint b_from = BY_COLUMNS ? (block.y * BN + item / B_ROW) * wide_n + item % B_ROW
                             : item / B_ROW * wide_n + block.y * BN / WIDE + item % B_ROW;
    uint a_to = item / A_ROW * A_STRIDE + item % A_ROW;
    uint b_to = item / B_ROW * B_STRIDE + item % B_ROW;
    uint b_next = BY_COLUMNS ? BK / WIDE : BK * wide_n;
    uint stage = 0;

    [[unroll]] for (uint i = 0; i < ROWS; i++)
        [[unroll]] for (uint j = 0; j < COLUMNS; j++)
            sum[i][j] = coopmat<CD, gl_ScopeSubgroup, TM, TN, gl_MatrixUseAccumulator>(0);

    fetch(a_from, b_from, wide_n);
    put(0, a_to, b_to);
    barrier();
    for (uint k = BK; k < n; k += BK) {
        a_from += BK / WIDE;
        b_from += b_next;
        fetch(a_from, b_from, wide_n);
        multiply(stage, row, column);
        if (STAGES == 1)
            barrier();
        else
            stage ^= 1;
        put(stage, a_to, b_to);
        barrier();
    }
    multiply(stage, row, column);

    [[unroll]] for (uint i = 0; i < ROWS; i++)
        [[unroll]] for (uint j = 0; j < COLUMNS; j++)
            coopMatStore(sum[i][j], C_AT,
                         (block.x * BM + row + i * TM) * n + block.y * BN + column + j * TN, n,
                         gl_CooperativeMatrixLayoutRowMajor);
}
