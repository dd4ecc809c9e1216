// SPDX-License-Identifier: Apache-2.0
// Matrices of bfloat16 in a shape that GPUs support, and in a multiple of it, in both layouts, with row strides that matrix units
// support: products, components, fills. Values are exact in bfloat16, sums in float. Accumulators of bfloat16, which units may
// lack, with unaligned rows.
// needs: __opencl_c_subgroups
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: out int 32
// arg: buffer char 0*131072
// expect: arg0 int 0*32
// run: sums global 32 local 32
// arg: out int 32
// arg: buffer char 0*131072
// expect: arg0 int 0*32
#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define PART 4096

#define PRODUCT(name, M, N, K, layout_a, layout_b, layout_c)                                                       \
    typedef __bf16 name##_a __attribute__((coop_mat(SUB, M, K, CLK_COOPERATIVE_MATRIX_A)));                       \
    typedef __bf16 name##_b __attribute__((coop_mat(SUB, K, N, CLK_COOPERATIVE_MATRIX_B)));                       \
    typedef float name##_c __attribute__((coop_mat(SUB, M, N, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));              \
    int name(global char *room, local __bf16 *near)                                                                \
    {                                                                                                              \
        const int pa = (layout_a == ROWS ? K : M) + 8, pb = (layout_b == ROWS ? N : K) + 16;                       \
        const int pc = (layout_c == ROWS ? N : M) + 4, lines = layout_c == ROWS ? M : N;                           \
        const int me = (int)get_sub_group_local_id(), all = (int)get_sub_group_size();                             \
        const int lines_a = layout_a == ROWS ? M : K, lines_b = layout_b == ROWS ? K : N;                          \
        global __bf16 *a = (global __bf16 *)room, *b = (global __bf16 *)(room + PART);                             \
        global float *c = (global float *)(room + 2 * PART), *d = c + 1024;                                        \
        for (int i = me; i < pa * lines_a; i += all)                                                               \
            near[i] = a[i] = ((i * 37 + 11) % 255 - 127) * 0x1p-60f;                                               \
        for (int i = me; i < pb * lines_b; i += all)                                                               \
            b[i] = ((i * 29 + 5) % 64 - 31) * 0x1p60f;                                                             \
        for (int i = me; i < pc * lines; i += all)                                                                 \
            c[i] = i % 7 - 3, d[i] = 99;                                                                           \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                             \
        name##_a x = coop_mat_load(near, layout_a, pa);                                                            \
        name##_b y = coop_mat_load(b, layout_b, pb), twos = coop_mat_init(0x1p61f);                                \
        name##_c z = coop_mat_load(c, layout_c, pc);                                                               \
        z = coop_mat_mulAdd(x, y, z);                                                                              \
        for (uint i = 0; i < coop_mat_length(y); i++)                                                              \
            y[i] = y[i] * 0.5f + 0x1p61f;                                                                          \
        z = coop_mat_mulAdd(x, y, coop_mat_mulAdd(x, twos, z));                                                    \
        coop_mat_store(d, z, layout_c, pc);                                                                        \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                             \
        int wrong = 0;                                                                                             \
        for (int i = me; i < pc * lines; i += all) {                                                               \
            int row = layout_c == ROWS ? i / pc : i % pc, column = layout_c == ROWS ? i % pc : i / pc;             \
            float sum = c[i];                                                                                      \
            for (int k = 0; k < K; k++) {                                                                          \
                float left = a[layout_a == ROWS ? row * pa + k : k * pa + row];                                    \
                __bf16 right = b[layout_b == ROWS ? k * pb + column : column * pb + k], more = right * 0.5f + 0x1p61f; \
                sum += left * right + left * 0x1p61f + left * more;                                                \
            }                                                                                                      \
            wrong += d[i] != ((row < M) & (column < N) ? sum : 99);                                                \
        }                                                                                                          \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);                                             \
        return wrong;                                                                                              \
    }

PRODUCT(one, 16, 16, 16, ROWS, ROWS, ROWS)
PRODUCT(two, 16, 16, 32, COLUMNS, COLUMNS, COLUMNS)

kernel void k(global int *wrong, global char *all)
{
    local __bf16 near[8][1024];
    local __bf16 *mine = near[get_sub_group_id()];
    global char *room = all + get_sub_group_id() * 4 * PART;
    wrong[get_local_id(0)] = one(room, mine) + two(room, mine);
}

typedef __bf16 kept_c __attribute__((coop_mat(SUB, 16, 16, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));

kernel void sums(global int *wrong, global char *all)
{
    enum { STRIDE = 19 };
    const int me = (int)get_sub_group_local_id(), size = (int)get_sub_group_size();
    global __bf16 *a = (global __bf16 *)(all + get_sub_group_id() * 4 * PART), *b = a + 256, *c = b + 257, *d = c + 400, *e = d + 400;
    for (int i = me; i < 256; i += size) {
        a[i] = (i * 37 + 11) % 255 - 127;
        b[i] = ((i * 29 + 5) % 64 - 31) * 0.5f;
    }
    for (int i = me; i < 16 * STRIDE; i += size)
        c[i] = i * 1.25f, d[i] = e[i] = 1;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    one_a x = coop_mat_load(a, ROWS, 16);
    one_b y = coop_mat_load(b, ROWS, 16);
    kept_c z = coop_mat_load(c, ROWS, STRIDE), halves = coop_mat_init(0.5f);
    z = coop_mat_mulAdd(x, y, z);
    one_c w = (one_c)z;
    coop_mat_store(e, (kept_c)(w * 1.001f), COLUMNS, STRIDE);
    z = z * 3 - z / halves;
    for (uint i = 0; i < coop_mat_length(z); i++)
        z[i] = z[i] + 100.25f;
    coop_mat_store(d, -z, ROWS, STRIDE);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int differ = 0;
    for (int i = me; i < 16 * STRIDE; i += size) {
        int row = i / STRIDE, column = i % STRIDE;
        float sum = c[i];
        for (int k = 0; k < 16 && column < 16; k++)
            sum += a[row * 16 + k] * b[k * 16 + column];
        __bf16 s = sum, times = s * 3, quotient = s / 0.5f, rest = times - quotient, last = -(rest + 100.25f), other = s * 1.001f;
        differ += d[i] != (column < 16 ? last : 1.0f);
        differ += column < 16 && e[column * STRIDE + row] != other;
        differ += column >= 16 && e[i] != 1;
    }
    wrong[get_local_id(0)] = differ;
}
