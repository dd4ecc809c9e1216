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
// the attribute
typedef float bad1 __attribute__((coop_mat));
typedef float bad2 __attribute__((coop_mat(SUB, 16, 8)));
typedef float bad3 __attribute__((coop_mat(SUB, 16, 8, A, 1)));
typedef float bad4 __attribute__((coop_mat(0, 16, 8, A)));
typedef float bad5 __attribute__((coop_mat(SUB, 0, 8, A)));
typedef float bad6 __attribute__((coop_mat(SUB, 16, -8, A)));
typedef float bad7 __attribute__((coop_mat(SUB, 16, 8, 99)));
typedef float bad8 __attribute__((coop_mat(SUB, 1024, 1024, A)));
typedef bool bad9 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float4 bad10 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef struct { int i; } bad11 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef fa bad12 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float bad13 __attribute__((coop_mat(SUB, "sixteen", 8, A)));
typedef float bad14 __attribute__((coop_mat(SUB, get_global_id(0), 8, A)));
// declarations
kernel void kernel1(fa m) {}
struct holder { fa m; };
kernel void kernel2(struct holder h) {}
union overlay { fa m; int i; };
constant fa in_constant = 0;
void in_local(global float *p) { local fa m; static fa n; local fa *q; global struct holder *r; }
kernel void in_local_kernel(global float *p) { local fa m; }
void cast(global float *p, private fa *q) { private float *r = (private float *)q; private fa *s = (private fa *)r; }
// operators
void operators(fa a, fb b, fc c, ic i, ca x, float f, float4 v, int n)
{
    a = b;
    c = i;
    a = f;
    f = a;
    (void)(a + b);
    (void)(c + i);
    (void)(a + f);
    (void)(f - a);
    (void)(a / f);
    (void)(a % a);
    (void)(i & i);
    (void)(i << 1);
    (void)(a == a);
    (void)(a && a);
    (void)!a;
    (void)~i;
    a++;
    (void)(a * v);
    (void)(i * f);
}
// SPDX-License-Identifier: Apache-2.0
