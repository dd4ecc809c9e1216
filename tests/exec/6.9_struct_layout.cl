// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out uint 6
// arg: buffer uchar 1 0 0 0 2 0 0 0 3 0 0 0 0 0 0 0 4 0 0 0 5 0 0 0
// arg: out long 5
// expect: arg0 uint 24 8 16 20 12 6
// expect: arg2 long 1 2 3 4 5
struct s {
    char a;
    int b;
    long c;
    short d;
    uchar e[4] __attribute__((aligned(4)));
};
struct __attribute__((packed)) p {
    char a;
    int b;
    char c;
};

kernel void k(global uint *out, global struct s *s, global long *values)
{
    out[0] = sizeof(struct s);
    out[1] = (uint)((uintptr_t)&s->c - (uintptr_t)s);
    out[2] = (uint)((uintptr_t)&s->d - (uintptr_t)s);
    out[3] = (uint)((uintptr_t)s->e - (uintptr_t)s);
    out[4] = sizeof(float3) - 4;
    out[5] = sizeof(struct p);
    values[0] = s->a;
    values[1] = s->b;
    values[2] = s->c;
    values[3] = s->d;
    values[4] = s->e[0];
}
