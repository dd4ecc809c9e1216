// options: --units
#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define A CLK_COOPERATIVE_MATRIX_A
#define B CLK_COOPERATIVE_MATRIX_B
#define C CLK_COOPERATIVE_MATRIX_ACCUMULATOR
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float fa __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float fb __attribute__((coop_mat(SUB, 8, 4, B)));
typedef float fs __attribute__((coop_mat(SUB, 16, 8, C)));
typedef float fc __attribute__((coop_mat(SUB, 16, 4, C)));
typedef int ic __attribute__((coop_mat(SUB, 16, 4, C)));
typedef uint uc __attribute__((coop_mat(SUB, 16, 4, C)));
struct holder { fa m; };
fc product(fa a, fb b, fc c);
// Different use or component type: no arithmetic.
fa mixed(fa a, fb b, fc c, fs s, ic i, uc u)
{
    a += s;
    a = s;
    a = a + s;
    i = i + u;
    i = u;
    c = product(a, b);
    product(a, b, i);
    c = coop_mat_mulAdd(a, (fb)0, s);
    return s;
}
// initialisers
void initialised(fa a, fb b, global float *p)
{
    fa m1 = {1.0f};
    fa m2 = {};
    fa m3 = 1.0f;
    fa m4 = p[0];
    fa m5[2] = {a, b};
    struct holder h1 = {b};
    struct holder h2 = {.m = 1.0f};
    fa m6 = (fa){a};
    typeof(a) m7 = b;
}
// operators
void operators(fa a, ic i, struct holder h, fa list[2], global float *p, float4 v, bool q, int n)
{
    --a;
    a--;
    +a;
    a ^= a;
    a <<= 1;
    a || q;
    q = a;
    q ? a : 0.0f;
    a ? 1 : 2;
    while (a) {}
    for (; a;) {}
    switch (n) { case a: break; }
    n[a];
    a[0][0];
    a.s0;
    a->m;
    list.m;
    a(1);
    2.5f * i;
    a / 2.0f;
    1 - a;
    a * p;
    a * h;
    v = a;
}
// SPDX-License-Identifier: Apache-2.0
