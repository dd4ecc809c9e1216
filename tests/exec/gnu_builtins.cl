// SPDX-License-Identifier: Apache-2.0
// GNU's type queries, hints, vectors and memory functions.
// options: -cl-std=CL1.2
// run: questions global 1
// arg: int 5
// arg: out int 16
// expect: arg1 int 5 0 1 1 7 1 0 1 0 8 11 -1 3 25 1 *
struct pair { char a; int b; };
kernel void questions(int x, global int *r)
{
    int n = 0;
    r[0] = __builtin_expect(x, 5);
    r[1] = __builtin_constant_p(x);
    r[2] = __builtin_constant_p(3 * 4);
    r[3] = __builtin_constant_p("text");
    r[4] = __builtin_choose_expr(sizeof(int) == 4, 7, n++);
    r[5] = __builtin_types_compatible_p(int, const int);
    r[6] = __builtin_types_compatible_p(int, uint);
    r[7] = __builtin_types_compatible_p(global int *, __typeof__(r));
    r[8] = n;
    __builtin_choose_expr(0, n, r[9]) = 8;
    __builtin_assume(x > 0);
    if (__builtin_expect_with_probability(x > 4, 1, 0.9) && __builtin_unpredictable(x < 6))
        r[10] = 11;
    r[11] = (int)__builtin_object_size(r, 0);
    r[12] = __builtin_strlen("abc");
    *__builtin_addressof(n) = x;
    r[13] = n * *(int *)__builtin_assume_aligned(&n, 4);
    if (x > 5)
        __builtin_unreachable();
    r[14] = __builtin_LINE() > 20 && __builtin_FUNCTION()[0] == 'q';
}

// run: vectors global 1
// arg: buffer int 1 2 3 4
// arg: out int 24
// expect: arg1 int 4 1 8 5 3 10 24 4 1 4 0 7 1 -1 2 2 0x3f800000 1 2 2 1 4 3 6
kernel void vectors(global int4 *in, global int *r)
{
    int4 a = *in, b = a + 4;
    int4 c = __builtin_shufflevector(a, b, 3, 0, 7, 4);
    int2 d = __builtin_shufflevector(a, a, 2, -1);
    float4 f = __builtin_convertvector(a, float4) / 2;
    vstore4(c, 0, r);
    r[4] = d.x;
    r[5] = __builtin_reduce_add(a);
    r[6] = __builtin_reduce_mul(a);
    r[7] = __builtin_reduce_max(a);
    r[8] = __builtin_reduce_min(a);
    r[9] = __builtin_reduce_xor(a);
    r[10] = __builtin_reduce_and(a);
    r[11] = __builtin_reduce_or(a);
    r[12] = __builtin_elementwise_abs(-a).x;
    r[13] = __builtin_elementwise_min(a, -a).x;
    r[14] = __builtin_elementwise_max(f, 1.0f + 0 * f).w;
    r[15] = __builtin_elementwise_ceil(f).z;
    r[16] = __builtin_astype(1.0f, int);
    r[17] = __builtin_bit_cast(float, 0x3f800000);
    const int4 constants = __builtin_shufflevector((int4)(1, 2, 3, 4), (int4)(5), 1, 1, 0, 7);
    r[18] = constants.x;
    r[19] = constants.y;
    r[20] = constants.z;
    r[21] = __builtin_astype(a, uint4).w;
    r[22] = __builtin_shufflevector(a.xyz, b.xyz, 0, 1, 2).z;
    r[23] = __builtin_shufflevector(a.xyz, b.xyz, 5, 4).y;
}

// run: memory global 1
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: out int 16
// expect: arg0 int 1 1 2 3 4 6 7 8
// expect: arg1 int 2 3 0x01010101 0 -1 1 3 4 9 4 0 9 7 4 5 2
kernel void memory(global int *in, global int *r)
{
    local int shared[4];
    int own[4];
    __builtin_memcpy(own, in + 1, 8);
    r[0] = own[0];
    r[1] = own[1];
    __builtin_memset(shared, 1, 12);
    r[2] = shared[2];
    r[3] = __builtin_memcmp(in, in, 32);
    r[4] = __builtin_memcmp(in, own, 4) < 0 ? -1 : 1;
    r[5] = __builtin_memcmp(own, in, 8) > 0;
    __builtin_memmove(in + 1, in, 16);
    __builtin_memcpy(shared, in + 3, 8);
    r[6] = shared[0];
    r[7] = shared[1];
    int *there = __builtin_memcpy(own, (constant int[]){9, 8}, 4);
    r[8] = *there;
    struct pair { int a, b; } p = {3, 4}, q;
    __builtin_memcpy(&q, &p, sizeof p);
    r[9] = q.b;
    __builtin_bzero(&q, sizeof q);
    r[10] = q.a + q.b;
    __builtin_memmove(own + 1, own, 4);
    r[11] = own[1];
    r[12] = __builtin_nontemporal_load(in + 6);
    __builtin_nontemporal_store(4, r + 13);
    r[14] = __builtin_strlen((constant char *)"a\0b" + 2) + 4;
    r[15] = __builtin_bcmp(own, own + 1, 4) + 2;
}
