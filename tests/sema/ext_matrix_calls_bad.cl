#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define A CLK_COOPERATIVE_MATRIX_A
#define B CLK_COOPERATIVE_MATRIX_B
#define C CLK_COOPERATIVE_MATRIX_ACCUMULATOR
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float fa __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float fb __attribute__((coop_mat(SUB, 8, 4, B)));
typedef float fc __attribute__((coop_mat(SUB, 16, 4, C)));
typedef int ic __attribute__((coop_mat(SUB, 16, 4, C)));
struct holder { fa m; };
// casts and other functions
void others(fa a, ic i, struct holder h, fa list[2], global float *p, global void *nothing)
{
    (int)a;
    (float4)a;
    (struct holder)a;
    (fa)h;
    (fa)p;
    (ic)a;
    atomic_add(&a[0], 1);
    fabs(a);
    max(i, i);
    convert_int(a);
    as_int(a);
    vload4(0, a);
    select(a, a, 1);
    sub_group_reduce_add(a);
    sub_group_broadcast(a, 0);
    async_work_group_copy(list, p, 1, 0);
    __builtin_convertvector(a, int4);
    __builtin_expect(a, 1);
    _Generic(a, float: 1, int: 2);
    _Static_assert(a, "x");
    vec_step(a);
}
// SPDX-License-Identifier: Apache-2.0
