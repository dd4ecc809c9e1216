// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices of bfloat16 and of 8-bit floats: products compared with a loop over the memory, conversions, arithmetic
// and components.
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
#define PART 4096 // bytes of each sub-group for a matrix

// Integers and half-integers: exact in all types. Sums are exact in float, and rounded once to C. The stride is PAD longer.
#define PRODUCT(name, A, B, C, M, N, K, PAD, layout_a, layout_b, layout_c)                                        \
    typedef A name##_a __attribute__((coop_mat(SUB, M, K, CLK_COOPERATIVE_MATRIX_A)));                            \
    typedef B name##_b __attribute__((coop_mat(SUB, K, N, CLK_COOPERATIVE_MATRIX_B)));                            \
    typedef C name##_c __attribute__((coop_mat(SUB, M, N, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));                  \
    int name(global char *room)                                                                                    \
    {                                                                                                              \
        const int pa = (layout_a == ROWS ? K : M) + PAD, pb = (layout_b == ROWS ? N : K) + PAD;                    \
        const int pc = (layout_c == ROWS ? N : M) + PAD, lines = layout_c == ROWS ? M : N;                         \
        const int me = (int)get_sub_group_local_id(), all = (int)get_sub_group_size();                             \
        global A *a = (global A *)room;                                                                            \
        global B *b = (global B *)(room + PART);                                                                   \
        global C *c = (global C *)(room + 2 * PART), *d = (global C *)(room + 3 * PART);                           \
        for (int i = me; i < (K + PAD) * (M + PAD); i += all)                                                      \
            a[i] = ((i * 37 + 11) % 15 - 7) * 0.5f;                                                                \
        for (int i = me; i < (K + PAD) * (N + PAD); i += all)                                                      \
            b[i] = (i * 29 + 5) % 13 - 6;                                                                          \
        for (int i = me; i < pc * lines; i += all)                                                                 \
            c[i] = i % 7 - 3, d[i] = 96;                                                                           \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        name##_a x = coop_mat_load(a, layout_a, pa);                                                               \
        name##_b y = coop_mat_load(b, layout_b, pb);                                                               \
        name##_c z = coop_mat_load(c, layout_c, pc);                                                               \
        z = coop_mat_mulAdd(x, y, z);                                                                              \
        coop_mat_store(d, z, layout_c, pc);                                                                        \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        int wrong = 0;                                                                                             \
        for (int i = me; i < pc * lines; i += all) {                                                               \
            int row = layout_c == ROWS ? i / pc : i % pc, column = layout_c == ROWS ? i % pc : i / pc;             \
            float sum = c[i];                                                                                      \
            for (int k = 0; k < K; k++)                                                                            \
                sum += a[layout_a == ROWS ? row * pa + k : k * pa + row] *                                         \
                       b[layout_b == ROWS ? k * pb + column : column * pb + k];                                    \
            wrong += d[i] != ((row < M) & (column < N) ? (C)sum : (C)96);                                          \
        }                                                                                                          \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                   \
        return wrong;                                                                                              \
    }

PRODUCT(bf16, __bf16, __bf16, float, 9, 10, 3, 1, ROWS, COLUMNS, ROWS)
PRODUCT(kept, __bf16, __bf16, __bf16, 8, 4, 8, 1, ROWS, ROWS, COLUMNS)
PRODUCT(mixed, __bf16, float, float, 3, 5, 7, 3, COLUMNS, ROWS, ROWS)
PRODUCT(e4m3, __fp8_e4m3, __fp8_e4m3, float, 16, 8, 4, 0, ROWS, ROWS, ROWS)
PRODUCT(e5m2, __fp8_e5m2, __fp8_e5m2, float, 5, 9, 6, 2, ROWS, COLUMNS, COLUMNS)
PRODUCT(both, __fp8_e4m3, __fp8_e5m2, __bf16, 4, 8, 8, 0, COLUMNS, ROWS, ROWS)

typedef __bf16 kept_m __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef float wide_m __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef short short_m __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef __fp8_e5m2 tiny_m __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));

int others(global char *room)
{
    const int me = (int)get_sub_group_local_id(), all = (int)get_sub_group_size();
    global __bf16 *a = (global __bf16 *)room, *b = (global __bf16 *)(room + PART);
    global float *c = (global float *)(room + 2 * PART);
    global __fp8_e5m2 *d = (global __fp8_e5m2 *)(room + 3 * PART);
    for (int i = me; i < 32; i += all)
        a[i] = i * 1.25f - 7;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    kept_m m = coop_mat_load(a, ROWS, 8), n = -m;
    m = m * 3 + n / (kept_m)(3.0f);
    m -= n;
    coop_mat_store(b, m, ROWS, 8);
    wide_m w = (wide_m)m;
    for (uint i = 0; i < coop_mat_length(w); i++)
        w[i] = w[i] + 0.001f;
    coop_mat_store(c, w, ROWS, 8);
    kept_m back = (kept_m)w;
    short_m whole = (short_m)back;
    tiny_m t = (tiny_m)((kept_m)whole);
    coop_mat_store(d, t, ROWS, 8);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int wrong = 0;
    for (int i = me; i < 32; i += all) {
        __bf16 x = a[i], product = x * 3, quotient = -x / 3.0f, sum = product + quotient, result = sum + x;
        __bf16 near = b[i] + 0.001f;
        __fp8_e5m2 tiny = (short)near;
        wrong += b[i] != result;
        wrong += c[i] != b[i] + 0.001f;
        wrong += d[i] != tiny;
    }
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    return wrong;
}

// Components as bits: NaNs and infinities are preserved.
int bits(global char *room)
{
    const int me = (int)get_sub_group_local_id(), all = (int)get_sub_group_size();
    global ushort *a = (global ushort *)room, *b = (global ushort *)(room + PART);
    for (int i = me; i < 32; i += all)
        a[i] = (ushort)(i * 2113 + 0x7f70);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    kept_m m = coop_mat_load((global __bf16 *)a, COLUMNS, 4), n = coop_mat_init(0);
    for (uint i = 0; i < coop_mat_length(m); i++)
        n[i] = m[i];
    coop_mat_store((global __bf16 *)b, n, COLUMNS, 4);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int wrong = 0;
    for (int i = me; i < 32; i += all)
        wrong += a[i] != b[i];
    return wrong;
}

kernel void k(global char *all, global int *wrong)
{
    global char *room = all + get_sub_group_id() * 4 * PART;
    int sum = bf16(room) + kept(room) + mixed(room) + e4m3(room) + e5m2(room) + both(room);
    wrong[get_local_id(0)] = sum + others(room) + bits(room);
}
