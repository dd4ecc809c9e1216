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
// coop_mat_load, coop_mat_store
void memory(fa a, ic i, global float *p, global bool *pb, global float **pp, global half *ph, global uint *pu,
            constant float *pc, global void *nothing, fa list[2], int n, float f)
{
    a = coop_mat_load(pb, ROWS, 8);
    a = coop_mat_load(pp, ROWS, 8);
    a = coop_mat_load(ph, ROWS, 8);
    i = coop_mat_load(pu, ROWS, 8);
    a = coop_mat_load(nothing, ROWS, 8);
    a = coop_mat_load(list, ROWS, 8);
    a = coop_mat_load("text", ROWS, 8);
    a = coop_mat_load(*p, ROWS, 8);
    a = coop_mat_load(p, ROWS, -8);
    a = coop_mat_load(p, ROWS, p);
    a = coop_mat_load(p, 1.0f, 8);
    a = coop_mat_load(p, C, 8);
    a = coop_mat_load();
    f = coop_mat_load(p, ROWS, 8)[0];
    a = coop_mat_load(p, ROWS, 8) + coop_mat_load(p, ROWS, 8);
    a = coop_mat_load(p, ROWS, 8) * 2.0f;
    a = -coop_mat_load(p, ROWS, 8);
    a = n ? coop_mat_load(p, ROWS, 8) : coop_mat_load(p, ROWS, 16);
    coop_mat_store(p, a, ROWS);
    coop_mat_store(a, p, ROWS, 8);
    coop_mat_store(p, a, ROWS, -1);
    coop_mat_store(p, list, ROWS, 8);
    n = coop_mat_store(p, a, ROWS, 8);
    coop_mat_load = 0;
}
// products, lengths
void values(fa a, fb b, fc c, int n, global float *p)
{
    c = coop_mat_mulAdd(a, b, c, 1.0f);
    c = coop_mat_mulAdd(a, b, c, 0, 0);
    c = coop_mat_mulAdd(a, coop_mat_load(p, ROWS, 4), c);
    c = coop_mat_mulAdd();
    n = coop_mat_length();
    n = coop_mat_length(fa);
    n = coop_mat_length(p);
    a = coop_mat_init();
    a = coop_mat_init(a);
    a = coop_mat_init((float2)(1, 2));
}
// SPDX-License-Identifier: Apache-2.0
