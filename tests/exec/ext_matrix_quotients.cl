// SPDX-License-Identifier: Apache-2.0
// Quotients of cooperative matrices equal those of their components, also for divisors without an exact reciprocal.
// needs: __opencl_c_ext_cooperative_matrix
// needs: cl_khr_fp16
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer float 0*16384
// arg: out int 32
// expect: arg1 int 0*32
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(rows, columns) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR

#define QUOTIENTS(name, T, M, N, large)                                          \
    typedef T name##_t MATRIX(M, N);                                             \
    int name(global T *room)                                                     \
    {                                                                            \
        uint me = get_sub_group_local_id(), all = get_sub_group_size();          \
        for (uint i = me; i < M * N; i += all)                                   \
            room[i] = i % 3 ? (T)(i * 0.75f - 31) : (T)(large) / (T)(i % 7 + 1); \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                 \
        name##_t x = coop_mat_load(room, ROWS, N);                               \
        name##_t y = (name##_t)(T)(large), three = (name##_t)(T)3;               \
        name##_t a = x / y, b = x / three;                                       \
        int wrong = 0;                                                           \
        for (uint i = 0; i < coop_mat_length(x); i++)                            \
            wrong += a[i] != x[i] / y[i] || b[i] != x[i] / three[i];             \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                 \
        return wrong;                                                            \
    }
QUOTIENTS(floats, float, 16, 16, 3e38f)
QUOTIENTS(wide_floats, float, 32, 16, 2.5e38f)
QUOTIENTS(halves, half, 16, 16, 60000)

kernel void k(global float *memory, global int *out)
{
    global float *room = memory + get_sub_group_id() * 512;
    int wrong = floats(room);
    wrong += wide_floats(room) << 8;
    wrong += halves((global half *)room) << 16;
    out[get_global_id(0)] = wrong;
}
