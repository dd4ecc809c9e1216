// SPDX-License-Identifier: Apache-2.0
// Errors of __builtin_ functions.
struct s { int a; };
kernel void f(global int *p, global int4 *v, global float4 *w, constant char *text, constant int *c)
{
    p[0] = __builtin_choose_expr(p[0], 1, 2);
    p[1] = __builtin_clz(p);
    p[2] = __builtin_isnan(1.0f, 2);
    v[0] = __builtin_shufflevector(v[0], v[1], 0, 1, 2, 8);
    v[1] = __builtin_shufflevector(v[0], v[1], 0, 1, 2, p[0]);
    p[3] = __builtin_shufflevector(p[0], p[1], 0);
    v[2] = __builtin_shufflevector(v[0], w[0], 0, 1, 2, 3);
    v[3] = __builtin_shufflevector(v[0], v[0], 0, 1, 2, 3, 4);
    p[4] = __builtin_convertvector(v[0], int);
    v[4].xy = __builtin_convertvector(v[0], int2);
    v[5].xy = __builtin_astype(v[0], int2);
    p[5] = __builtin_bit_cast(struct s, p[0]);
    __builtin_memcpy(p[0], p, 4);
    __builtin_memset(c, 0, 4);
    w[0] = __builtin_nanf(text);
    p[6] = __builtin_isnan(p[0]);
    v[6] = __builtin_elementwise_max(v[0], w[0]);
    p[7] = __builtin_reduce_add(p[0]);
    p[8] = __builtin_add_overflow(p[0], 1.0f, p);
    p[9] = __builtin_types_compatible_p(int, struct nothing *);
    p[10] = __builtin_offsetof(struct s, b);
    p[11] = __builtin_foo(3);
    p[12] = __builtin_clz;
    __builtin_nontemporal_store(3, c);
    if (p[0])
        __builtin_trap();
    p[13] = __builtin_align_up(p[0], 3);
    p[14] = __builtin_astype p[0];
}
