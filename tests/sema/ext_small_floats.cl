#if !defined __PUMICE_BF16__ || !defined __PUMICE_FP8__
#error
#endif
#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
typedef __bf16 ma __attribute__((coop_mat(SUB, 8, 4, CLK_COOPERATIVE_MATRIX_A)));
typedef __fp8_e4m3 mb __attribute__((coop_mat(SUB, 4, 8, CLK_COOPERATIVE_MATRIX_B)));
typedef float fc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef __bf16 bc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef __fp8_e5m2 tc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef short sc __attribute__((coop_mat(SUB, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));
typedef const __bf16 *pointer;
struct s { __fp8_e5m2 a; __bf16 b[3]; };
constant __bf16 table[] = {1, 2.5f, 3e38f, -0.0f};
constant struct s record = {.b[1] = 7};
constant int size[sizeof(__bf16) + sizeof(__fp8_e4m3) == 3 ? 1 : -1] = {1};
__bf16 twice(__bf16 x) { return x + x; }
float __attribute__((overloadable)) which(float x) { return x; }
int __attribute__((overloadable)) which(__bf16 x) { return x; }
kernel void k(global __bf16 *p, __bf16 x, global struct s *q, __fp8_e4m3 y)
{
}
kernel void l(global __bf16 *p, __bf16 x, global struct s *q, __fp8_e4m3 y)
{
    local __bf16 shared[16];
    private __bf16 own[4] = {1, x, y, table[1]}, zero = {0};
    p[0] = twice(x) * fabs(y) + (x > y ? x : 2);
    p[1] = own[2];
    p[2] += 1;
    p[3] = p[4] = x;
    *q = record;
    q->a = (__fp8_e5m2)(x && !y);
    int i = x, n = which(own[1]);
    float f = which((float)x), g = sizeof(typeof(x));
    bool b = x;
    shared[i & 15] = ({ x; });
    printf("%f\n", x);
    global pointer *r;
}
void matrices(ma a, mb b, fc c, bc d, tc t, sc s, __bf16 x)
{
    c = coop_mat_mulAdd(a, b, c);
    d = coop_mat_mulAdd(a, b, d);
    d = (bc)c, c = (fc)d, t = (tc)d, s = (sc)t, d = (bc)s;
    d = -(d + d * x - d / d) * 2 + (bc)(x);
    d *= 3.5f, d += d;
    a[0] = a[1] * 2;
    a[2] = x;
    x = a[3];
}
// SPDX-License-Identifier: Apache-2.0
