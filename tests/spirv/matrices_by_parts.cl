// Local memory that contains a matrix and is also stored to by parts of its components: the matrix units are not used.
// target: h200
// expect: OpGroupNonUniformShuffle
// never: CooperativeMatrix
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(use) __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_##use)))
typedef half half_a MATRIX(A);
typedef half half_b MATRIX(B);
typedef float float_c MATRIX(ACCUMULATOR);
kernel void k(global const uint4 *a, global float *c, local uint4 *words, uint at)
{
    local half *room = (local half *)words;
    words[get_local_id(0)] = a[get_local_id(0)];
    ((local char *)words)[at] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    half_a x = coop_mat_load(room, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
    half_b y = coop_mat_load(room, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
    float_c z = coop_mat_init(0.0f);
    coop_mat_store(c, coop_mat_mulAdd(x, y, z), CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
}
// SPDX-License-Identifier: Apache-2.0
