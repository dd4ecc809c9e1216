// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices: products of several component types, of even and odd shapes, compared with a loop over the memory.
// needs: __opencl_c_subgroups
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer int 0*65536
// arg: out int 32
// expect: arg1 int 0*32
#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define NONE CLK_COOPERATIVE_MATRIX_OPERAND_NONE
#define PART 4096 // bytes of each sub-group for a matrix

// Each sub-group multiplies in its own part of the memory. Returns the number of wrong components and overwritten gaps.
#define PRODUCT(name, A, B, C, R, M, N, K, flags, layout_a, layout_b, layout_c)                                    \
    typedef A name##_a __attribute__((coop_mat(SUB, M, K, CLK_COOPERATIVE_MATRIX_A)));                            \
    typedef B name##_b __attribute__((coop_mat(SUB, K, N, CLK_COOPERATIVE_MATRIX_B)));                            \
    typedef C name##_c __attribute__((coop_mat(SUB, M, N, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));                  \
    int name(global char *room)                                                                                    \
    {                                                                                                              \
        const int pa = layout_a == ROWS ? K + 1 : M + 2, pb = layout_b == ROWS ? N + 3 : K;                        \
        const int pc = layout_c == ROWS ? N : M + 1, me = (int)get_sub_group_local_id();                           \
        const int all = (int)get_sub_group_size(), lines = layout_c == ROWS ? M : N;                               \
        global A *a = (global A *)room;                                                                            \
        global B *b = (global B *)(room + PART);                                                                   \
        global C *c = (global C *)(room + 2 * PART), *d = (global C *)(room + 3 * PART);                           \
        for (int i = me; i < (K + 1) * (M + 2); i += all)                                                          \
            a[i] = (A)((i * 37 + 11) % 23 - 7);                                                                    \
        for (int i = me; i < K * (N + 3); i += all)                                                                \
            b[i] = (B)((i * 29 + 5) % 19 - 9);                                                                     \
        for (int i = me; i < pc * lines; i += all)                                                                 \
            c[i] = (C)(i % 7 - 3), d[i] = (C)99;                                                                   \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        name##_a x = coop_mat_load(a, layout_a, pa);                                                               \
        name##_b y = coop_mat_load(b, layout_b, pb);                                                               \
        name##_c z = coop_mat_load(c, layout_c, pc);                                                               \
        z = coop_matmul_add(x, y, z, flags);                                                                       \
        coop_mat_store(d, z, layout_c, pc);                                                                        \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        int wrong = 0;                                                                                             \
        for (int i = me; i < pc * lines; i += all) {                                                               \
            int row = layout_c == ROWS ? i / pc : i % pc, column = layout_c == ROWS ? i % pc : i / pc;             \
            R sum = c[i];                                                                                          \
            for (int k = 0; k < K; k++)                                                                            \
                sum += (R)a[layout_a == ROWS ? row * pa + k : k * pa + row] *                                      \
                       (R)b[layout_b == ROWS ? k * pb + column : column * pb + k];                                 \
            wrong += d[i] != ((row < M) & (column < N) ? (C)sum : (C)99);                                             \
        }                                                                                                          \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        return wrong;                                                                                              \
    }

PRODUCT(floats, float, float, float, float, 8, 8, 8, NONE, ROWS, ROWS, ROWS)
PRODUCT(chars, char, char, int, int, 4, 16, 8, NONE, ROWS, COLUMNS, COLUMNS)
PRODUCT(mixed, uchar, char, int, int, 8, 4, 4, NONE, COLUMNS, ROWS, COLUMNS)
PRODUCT(odd, float, float, float, float, 3, 13, 5, NONE, COLUMNS, ROWS, COLUMNS)
PRODUCT(thin, int, int, int, int, 9, 1, 5, NONE, ROWS, ROWS, COLUMNS)
PRODUCT(row, short, ushort, int, int, 1, 21, 2, NONE, ROWS, COLUMNS, ROWS)
PRODUCT(narrow, char, char, char, int, 4, 4, 8, NONE, ROWS, ROWS, ROWS)
#ifdef cl_khr_int64_base_atomics // without it the device may lack 64-bit integers, and matrices of them
PRODUCT(longs, long, long, long, long, 2, 9, 4, NONE, ROWS, ROWS, COLUMNS)
#endif

kernel void k(global int *memory, global int *out)
{
    global char *room = (global char *)memory + get_sub_group_id() * 4 * PART;
    int wrong = floats(room);
    wrong += chars(room) << 4;
    wrong += mixed(room) << 8;
    wrong += odd(room) << 12;
    wrong += thin(room) << 16;
    wrong += row(room) << 20;
    wrong += narrow(room) << 24;
#ifdef cl_khr_int64_base_atomics
    wrong += longs(room) << 28;
#endif
    out[get_global_id(0)] = wrong;
}
