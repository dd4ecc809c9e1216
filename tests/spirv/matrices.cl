// Cooperative matrices with the device's matrix units.
// target: h200
// expect: OpCapability CooperativeMatrixKHR
// expect: OpExtension "SPV_KHR_cooperative_matrix"
// expect: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// expect: OpCooperativeMatrixLoadKHR
// expect: Aligned|NonPrivatePointer
// expect: OpCooperativeMatrixMulAddKHR
// expect: MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR
// expect: OpCooperativeMatrixStoreKHR
typedef char a_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 32, CLK_COOPERATIVE_MATRIX_A)));
typedef char b_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 32, 16, CLK_COOPERATIVE_MATRIX_B)));
typedef int c_tile __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
kernel void k(global const char *a, global const char *b, global int *c, int n, int scale)
{
    local int4 room[64];
    c_tile sum = (c_tile)(0), factor = (c_tile)(scale);
    for (int i = 0; i < n; i++) {
        room[get_local_id(0)] = ((global const int4 *)b)[get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        a_tile x = coop_mat_load(a + 32 * i, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, n);
        b_tile y = coop_mat_load((local char *)room, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, 32);
        sum = coop_matmul_add(x, y, sum, 0);
    }
    coop_mat_store(c, -(sum * factor), CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);
}
// SPDX-License-Identifier: Apache-2.0
