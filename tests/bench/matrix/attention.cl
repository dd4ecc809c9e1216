// SPDX-License-Identifier: Apache-2.0
// O = softmax(Q K^T / sqrt(HEAD)) V for each head with matrix units, without storing all of Q K^T.
//
// Each sub-group has ROWS queries and accumulates their results; the SUB_GROUPS of a work-group
// share slices of KEYS keys and values in local memory. The scores of a slice go through local
// memory, where one work-item processes a row: a new maximum rescales the earlier sums. Q, K, V and
// O are [head][n][HEAD]; n is a multiple of ROWS * SUB_GROUPS and of KEYS.
//
// Defined by -D: SUB_GROUPS, LOCAL (work-items of a work-group).
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define UNROLL __attribute__((opencl_unroll_hint))
#define TILE(type, use) \
    type __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, T, T, use)))
#define BY_ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define BY_COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define NO_FLAGS CLK_COOPERATIVE_MATRIX_OPERAND_NONE

enum {
    T = 16, // rows and columns of a tile
    HEAD = 64, ROWS = 32, KEYS = 32,
    // avoids bank conflicts
    HEAD_STRIDE = HEAD + 8, SCORE_STRIDE = KEYS + 4, WEIGHT_STRIDE = KEYS + 8,
    DOWN = ROWS / T, ACROSS = HEAD / T, DEEP = KEYS / T,
};
typedef TILE(half, CLK_COOPERATIVE_MATRIX_A) a_tile;
typedef TILE(half, CLK_COOPERATIVE_MATRIX_B) b_tile;
typedef TILE(float, CLK_COOPERATIVE_MATRIX_ACCUMULATOR) c_tile;

// Copies KEYS x HEAD halves, 128 bits at a time.
void fetch(__local half *to, __global const half *from)
{
    for (uint at = get_local_id(0) * 8; at < KEYS * HEAD; at += LOCAL * 8)
        *(__local uint4 *)(to + at / HEAD * HEAD_STRIDE + at % HEAD) =
            *(__global const uint4 *)(from + at);
}

void score(__local float *scores, a_tile q[DOWN][ACROSS], __local const half *keys)
{
    UNROLL for (uint j = 0; j < DEEP; j++) {
        c_tile s[DOWN];
        UNROLL for (uint i = 0; i < DOWN; i++)
            s[i] = (c_tile)(0);
        UNROLL for (uint d = 0; d < ACROSS; d++) {
            b_tile k = coop_mat_load(keys + j * T * HEAD_STRIDE + d * T, BY_COLUMNS, HEAD_STRIDE);
            UNROLL for (uint i = 0; i < DOWN; i++)
                s[i] = coop_matmul_add(q[i][d], k, s[i], NO_FLAGS);
        }
        UNROLL for (uint i = 0; i < DOWN; i++)
            coop_mat_store(scores + i * T * SCORE_STRIDE + j * T, s[i], BY_ROWS, SCORE_STRIDE);
    }
}

// Computes the weights of one row's scores, as powers of two of their distance to the maximum so
// far, `top`; `sum` is the sum of all weights. Returns the factor for the earlier results.
float weigh(__local const float4 *scores, __local half4 *weights, __local float *top,
            __local float *sum, float factor)
{
    float4 s[KEYS / 4], high = -INFINITY, all = 0;
    UNROLL for (uint i = 0; i < KEYS / 4; i++) {
        s[i] = scores[i] * factor;
        high = fmax(high, s[i]);
    }
    float before = *top, now = fmax(fmax(fmax(high.x, high.y), fmax(high.z, high.w)), before);
    UNROLL for (uint i = 0; i < KEYS / 4; i++) {
        float4 weight = native_exp2(s[i] - now);
        all += weight;
        weights[i] = convert_half4(weight);
    }
    float scale = native_exp2(before - now);
    *top = now;
    *sum = *sum * scale + (all.x + all.y + all.z + all.w);
    return scale;
}

// The rows' scales as a matrix with equal columns.
c_tile as_matrix(__local const float *scale)
{
    return coop_mat_load(scale, BY_COLUMNS, 0);
}

void add_values(c_tile out[DOWN][ACROSS], __local const float *scales,
                __local const half *weights, __local const half *values)
{
    a_tile p[DOWN][DEEP];
    UNROLL for (uint i = 0; i < DOWN; i++) {
        c_tile scale = as_matrix(scales + i * T);
        UNROLL for (uint k = 0; k < DEEP; k++)
            p[i][k] = coop_mat_load(weights + i * T * WEIGHT_STRIDE + k * T, BY_ROWS, WEIGHT_STRIDE);
        UNROLL for (uint d = 0; d < ACROSS; d++)
            out[i][d] = out[i][d] * scale;
    }
    UNROLL for (uint k = 0; k < DEEP; k++)
        UNROLL for (uint d = 0; d < ACROSS; d++) {
            b_tile v = coop_mat_load(values + k * T * HEAD_STRIDE + d * T, BY_ROWS, HEAD_STRIDE);
            UNROLL for (uint i = 0; i < DOWN; i++)
                out[i][d] = coop_matmul_add(p[i][k], v, out[i][d], NO_FLAGS);
        }
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
void attention(__global const half *restrict q, __global const half *restrict k,
               __global const half *restrict v, __global float *restrict o, uint n)
{
    __local half keys[KEYS * HEAD_STRIDE] __attribute__((aligned(16)));
    __local half values[KEYS * HEAD_STRIDE] __attribute__((aligned(16)));
    // For each sub-group: scores and weights; for each row the maximum score, the sum of weights,
    // and the scale factor of the last slice.
    __local float all_scores[SUB_GROUPS * ROWS * SCORE_STRIDE] __attribute__((aligned(16)));
    __local half all_weights[SUB_GROUPS * ROWS * WEIGHT_STRIDE] __attribute__((aligned(16)));
    __local float tops[SUB_GROUPS * ROWS], sums[SUB_GROUPS * ROWS];
    __local float all_scales[SUB_GROUPS * ROWS] __attribute__((aligned(16)));
    uint me = get_sub_group_id() * ROWS; // the sub-group's first row
    __local float *scores = all_scores + me * SCORE_STRIDE, *scales = all_scales + me;
    __local half *weights = all_weights + me * WEIGHT_STRIDE;
    uint lane = get_sub_group_local_id(), lanes = get_sub_group_size();
    uint first = get_group_id(0) * SUB_GROUPS * ROWS + me;
    size_t head = (size_t)get_group_id(1) * n * HEAD;
    float factor = M_LOG2E_F * rsqrt((float)HEAD);

    a_tile query[DOWN][ACROSS];
    c_tile out[DOWN][ACROSS];
    UNROLL for (uint i = 0; i < DOWN; i++)
        UNROLL for (uint d = 0; d < ACROSS; d++) {
            query[i][d] = coop_mat_load(q + head + (first + i * T) * HEAD + d * T, BY_ROWS, HEAD);
            out[i][d] = (c_tile)(0);
        }
    for (uint row = lane; row < ROWS; row += lanes) {
        tops[me + row] = -INFINITY;
        sums[me + row] = 0;
    }

    for (uint from = 0; from < n; from += KEYS) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last slice is no longer in use
        fetch(keys, k + head + from * HEAD);
        fetch(values, v + head + from * HEAD);
        barrier(CLK_LOCAL_MEM_FENCE);
        score(scores, query, keys);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        for (uint row = lane; row < ROWS; row += lanes)
            scales[row] = weigh((__local const float4 *)(scores + row * SCORE_STRIDE),
                                (__local half4 *)(weights + row * WEIGHT_STRIDE), tops + me + row,
                                sums + me + row, factor);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        add_values(out, scales, weights, values);
    }

    for (uint row = lane; row < ROWS; row += lanes)
        scales[row] = 1 / sums[me + row];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint i = 0; i < DOWN; i++) {
        c_tile scale = as_matrix(scales + i * T);
        UNROLL for (uint d = 0; d < ACROSS; d++)
            coop_mat_store(o + head + (first + i * T) * HEAD + d * T, out[i][d] * scale, BY_ROWS,
                           HEAD);
    }
}
