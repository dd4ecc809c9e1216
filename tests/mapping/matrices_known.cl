// SPDX-License-Identifier: Apache-2.0
// The sub-group size, over which matrices are distributed, is known for this device.
// target: logical
// options: --vulkan -cl-std=CL3.0 -spv-version=1.3
// env: vulkan1.1
// expect: "k"
kernel void k(global int *out)
{
    typedef int matrix __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 8, 8, CLK_COOPERATIVE_MATRIX_A)));
    matrix m = coop_mat_init(1);
    coop_mat_store(out, m, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
}
