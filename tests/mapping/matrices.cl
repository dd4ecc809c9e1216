// SPDX-License-Identifier: Apache-2.0
// Matrices are distributed over the work-items of a sub-group: their number is only known for a named device.
// target: vulkan
// options: -cl-std=CL3.0 -spv-version=1.3
// error: matrices.cl:11:39: error: cooperative matrices require a target with a known sub-group size
#ifdef __opencl_c_ext_cooperative_matrix
#error "they are not offered"
#endif
kernel void k(global int *out)
{
    typedef int matrix __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 8, 8, CLK_COOPERATIVE_MATRIX_A)));
    matrix m = coop_mat_init(1);
    coop_mat_store(out, m, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
}
