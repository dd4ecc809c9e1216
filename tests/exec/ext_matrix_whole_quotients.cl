// SPDX-License-Identifier: Apache-2.0
// Quotients of matrices of bytes have the signs of their components, if the compiler sees that the dividend is a negation.
// needs: __opencl_c_ext_cooperative_matrix
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer int 0*512
// arg: out int 32
// expect: arg1 int 0*32
typedef char bytes __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 32, CLK_COOPERATIVE_MATRIX_A)));

bytes quotient(bytes a, bytes b)
{
    for (uint i = 0; i < coop_mat_length(a); i++) {
        char x = b[i];
        b[i] = x == 0 || (x == -1 && a[i] == -128) ? (char)1 : x;
    }
    return a / b;
}

kernel void k(global int *memory, global int *out)
{
    global char *room = (global char *)memory;
    uint me = get_sub_group_local_id(), all = get_sub_group_size();
    for (uint i = me; i < 1024; i += all)
        room[i] = i * 37 % 251 - 128;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    bytes x = coop_mat_load(room, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, 16);
    bytes y = coop_mat_load(room + 512, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 32);
    bytes q = quotient(-x, y);
    int wrong = 0;
    for (uint i = 0; i < coop_mat_length(x); i++) {
        char opposite = -x[i], by = y[i] == 0 || (y[i] == -1 && opposite == -128) ? (char)1 : y[i];
        wrong += q[i] != (char)(opposite / by);
    }
    out[get_global_id(0)] = wrong;
}
