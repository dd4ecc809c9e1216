// Cooperative matrices in constant memory, with the device's matrix units.
// target: h200
// expect: OpCooperativeMatrixLoadKHR
typedef char a_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 32, CLK_COOPERATIVE_MATRIX_A)));
constant char numbers[512] __attribute__((aligned(16))) = {1, 2, 3};
kernel void k(constant char *from, global char *to)
{
    a_tile x = coop_mat_load(from, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 32);
    a_tile y = coop_mat_load(numbers, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 32);
    coop_mat_store(to, x + y, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 32);
}
// SPDX-License-Identifier: Apache-2.0
