// SPDX-License-Identifier: Apache-2.0
// Products of matrices filled with constants and with run-time values, and with values at odd indices of local memory.
// needs: __opencl_c_ext_cooperative_matrix
// needs: cl_khr_fp16
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer float 3*1024
// arg: float -3
// arg: out int 32
// expect: arg2 int 0*32
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR

// Checks that each component of x is `right`.
#define WRONG(x, right) ({ int n = 0; for (uint i = 0; i < coop_mat_length(x); i++) n += x[i] != right; n; })

// M x N x K of 3 and -3: constants, values read from memory, and parameters; as the first and as the second factor.
#define PRODUCTS(name, T, S, M, N, K)                                                      \
    typedef T name##_a MATRIX(M, K, A);                                                    \
    typedef T name##_b MATRIX(K, N, B);                                                    \
    typedef S name##_c MATRIX(M, N, ACCUMULATOR);                                          \
    int name(local T *threes, int minus_three)                                             \
    {                                                                                      \
        name##_a known = coop_mat_init((T)3), read = coop_mat_load(threes, ROWS, K);       \
        name##_b other = coop_mat_init((T)-3), given = coop_mat_init((T)minus_three);      \
        name##_b read_b = coop_mat_load(threes, ROWS, N);                                  \
        name##_c none = coop_mat_init((S)0);                                               \
        name##_c a = coop_mat_mulAdd(known, other, none), b = coop_mat_mulAdd(read, other, none); \
        name##_c c = coop_mat_mulAdd(known, given, none), d = coop_mat_mulAdd(read, read_b, a);   \
        const S right = (S)((T)3 * (T)-3 * K);                                             \
        return WRONG(a, right) + WRONG(b, right) + WRONG(c, right) + WRONG(d, (S)0);       \
    }
PRODUCTS(halves_8, half, half, 16, 8, 8)
PRODUCTS(floats_8, half, float, 16, 8, 8)
PRODUCTS(wide_8, half, float, 32, 16, 8)
PRODUCTS(floats_16, half, float, 16, 16, 16)
PRODUCTS(bytes_of, char, int, 16, 8, 32)

kernel void k(global float *memory, float minus_three, global int *out)
{
    local char odd[3], bytes[515];
    local half halves[517];
    int me = get_local_id(0);
    odd[me % 3] = 0;
    for (int i = me; i < 512; i += get_local_size(0))
        bytes[i] = memory[i], halves[i] = memory[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int given = (int)minus_three + odd[0];
    out[me] = halves_8(halves, given) + floats_8(halves, given) + wide_8(halves, given) + floats_16(halves, given) + bytes_of(bytes, given);
}
