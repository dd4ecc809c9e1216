#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
typedef __bf16 ma __attribute__((coop_mat(SUB, 8, 4, CLK_COOPERATIVE_MATRIX_A)));
typedef __fp8_e4m3 mb __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_B)));
typedef int ic __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef float fc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef __bf16 bc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef __bf16 vector __attribute__((ext_vector_type(4)));
typedef __bf16 row __attribute__((vector_size(8)));
unsigned __bf16 no;
struct s { __bf16 bits : 3; };
constant __bf16 array[(__bf16)3];

kernel void k(global __bf16 *p, global ushort *q, global half *h, global float *f, __fp8_e5m2 x, float4 v, int i)
{
    __bf16 a = p, b = {1, 2}, c = v;
    x++;
    --*p;
    x % 2;
    x << 1;
    ~x;
    x & 1;
    p[x];
    global float *g = p;
    h = p;
    (global int *)x;
    (__bf16)p;
    (__bf16)v;
    (float4)(x, v);
    x = *(struct s *)0;
    i = x ? p : 0;
    switch (x) { }
    vload4(0, p);
    *p = vload_half(0, p);
    as_ushort(x);
    atomic_add(p, 1);
    &x + &i;
    vec_step(x);
    x.s0;
    x = "text";
    *p, *p;
    *p = x, *p = 1; // no error
    *p * 2;
}

void matrices(global __bf16 *p, global ushort *q, global float *f, ma a, mb b, ic i, fc c, bc d)
{
    a = coop_mat_load(q, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 4);
    coop_mat_store(f, a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 4);
    b = coop_mat_load(p, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 4);
    i = coop_mat_mulAdd(a, b, i);
    c = coop_mat_mulAdd(b, a, c);
    d = c;
    d = (bc)i;
    d += c;
    d = d + a;
    d = d % d;
    d = d + 1.0f;
    d = 2.0f;
    a[0] = p;
}
// SPDX-License-Identifier: Apache-2.0
