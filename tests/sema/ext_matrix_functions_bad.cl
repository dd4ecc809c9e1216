#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define A CLK_COOPERATIVE_MATRIX_A
#define B CLK_COOPERATIVE_MATRIX_B
#define C CLK_COOPERATIVE_MATRIX_ACCUMULATOR
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float fa __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float fb __attribute__((coop_mat(SUB, 8, 4, B)));
typedef float fc __attribute__((coop_mat(SUB, 16, 4, C)));
typedef int ic __attribute__((coop_mat(SUB, 16, 4, C)));
typedef char ca __attribute__((coop_mat(SUB, 16, 8, A)));
// components and conversions
void conversions(fa a, fb b, fc c, ic i, ca x, float f, float4 v, int n)
{
    (void)a.x;
    (void)a[f];
    (void)&a;
    (void)&a[0];
    (void)*a;
    (void)(fb)a;
    (void)(fc)a;
    (void)(float)a;
    (void)(fa)v;
    if (a)
        a *= c;
    switch (i) {}
    n = n ? a : b;
    (void)as_float(a);
}
// functions
void functions(global float *p, constant float *q, local float *l, global int *ip, private float *r, fa a, fb b, fc c, ic i,
               ca x, int n, float f)
{
    fa m;
    m = coop_mat_load(p, ROWS);
    m = coop_mat_load(p, ROWS, 8, 1);
    m = coop_mat_load(p, 2, 8);
    m = coop_mat_load(p, n, 8);
    m = coop_mat_load(p, ROWS, 1.5f);
    m = coop_mat_load(n, ROWS, 8);
    m = coop_mat_load(r, ROWS, 8);
    m = coop_mat_load(ip, ROWS, 8);
    f = coop_mat_load(p, ROWS, 8);
    coop_mat_store(q, a, ROWS, 8);
    coop_mat_store((const global float *)p, a, ROWS, 8);
    coop_mat_store(p, f, ROWS, 8);
    coop_mat_store(ip, a, ROWS, 8);
    coop_mat_store(p, a, 7, 8);
    coop_mat_store(p, coop_mat_load(p, ROWS, 8), ROWS, 8);
    c = coop_mat_mulAdd(a, b);
    c = coop_mat_mulAdd(b, a, c);
    c = coop_mat_mulAdd(a, b, a);
    c = coop_mat_mulAdd(a, b, i);
    c = coop_mat_mulAdd(x, b, c);
    c = coop_mat_mulAdd(a, b, f);
    c = coop_mat_mulAdd(a, b, c, n);
    c = coop_mat_mulAdd(a, b, c, 32);
    c = coop_mat_mulAdd(a, b, coop_mat_init(0.0f));
    i = coop_mat_mulAdd(a, b, c);
    c = coop_mat_init(p);
    n = coop_mat_length(f);
    n = coop_mat_init(1);
    typedef float square __attribute__((coop_mat(SUB, 8, 8, B)));
    square s = coop_mat_init(0.0f);
    c = coop_mat_mulAdd(a, s, c);
    typeof(coop_mat_init(1.0f)) t;
}
// SPDX-License-Identifier: Apache-2.0
