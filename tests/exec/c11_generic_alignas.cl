// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 2 3
// arg: out int 8
// expect: arg1 int 1 2 3 9 32 64 0 5
#define kind(x) _Generic((x), int: 1, float: 2, global float *: 3, default: 9)
struct s {
    char a;
    _Alignas(32) int b;
};
_Noreturn void nowhere(void);

kernel void k(global float *p, global int *out)
{
    const int c = 1;
    _Alignas(64) char aligned[3];
    int none = {};
    int chosen = 4;
    _Generic(c, int: chosen, default: none) += 1;
    aligned[1] = 0;
    out[0] = kind(c);
    out[1] = kind(p[0]);
    out[2] = kind(p);
    out[3] = kind((float4)(1));
    out[4] = (int)sizeof(struct s) / 2;
    out[5] = ((int)(long)&aligned[0] & 63) + 64 + aligned[1];
    out[6] = none;
    out[7] = chosen;
}
