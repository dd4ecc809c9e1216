// Cooperative matrices of bfloat16 with the device's matrix units; components are integers elsewhere.
// target: h200
// expect: OpCapability BFloat16TypeKHR
// expect: OpCapability BFloat16CooperativeMatrixKHR
// expect: OpExtension "SPV_KHR_bfloat16"
// expect: OpTypeFloat 16 BFloat16KHR
// expect: OpBitcast %bfloat16
// expect: OpCooperativeMatrixMulAddKHR
typedef __bf16 a_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_A)));
typedef __bf16 b_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_B)));
typedef float c_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
kernel void k(global const __bf16 *a, global float *c, float scale, int n)
{
    a_tile x = coop_mat_load(a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
    b_tile y = coop_mat_init(scale), z = coop_mat_init(1.5f);
    c_tile sum = coop_mat_mulAdd(x, z, coop_mat_mulAdd(x, y, (c_tile)(0)));
    for (uint i = 0; i < coop_mat_length(x); i++)
        x[i] = x[i] * scale;
    x[0] = x[1] + 1;
    coop_mat_store(c, coop_mat_mulAdd(x, y, sum), CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
}
// SPDX-License-Identifier: Apache-2.0
