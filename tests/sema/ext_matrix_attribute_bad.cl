// options: --units
#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define A CLK_COOPERATIVE_MATRIX_A
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float fa __attribute__((coop_mat(SUB, 16, 8, A)));
// components
typedef void bad1 __attribute__((coop_mat(SUB, 16, 8, A)));
kernel __attribute__((coop_mat(SUB, 16, 8, A))) void bad2(void) {}
typedef enum { ONE } bad3 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef event_t bad4 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef sampler_t bad5 __attribute__((coop_mat(SUB, 16, 8, A)));
typedef image2d_t bad6 __attribute__((coop_mat(SUB, 16, 8, A)));
kernel void bad7(float m __attribute__((coop_mat(SUB, 16, 8, A)))) {}
// arguments
typedef float bad8 __attribute__((coop_mat(2, 16, 8, A)));
typedef float bad9 __attribute__((coop_mat(-1, 16, 8, A)));
typedef float bad10 __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_WORKGROUP, 16, 8, A)));
typedef float bad11 __attribute__((coop_mat(A, 16, 8, SUB)));
typedef float bad12 __attribute__((coop_mat(SUB, 1025, 8, A)));
typedef float bad13 __attribute__((coop_mat(SUB, 16, 4294967296, A)));
typedef float bad14 __attribute__((coop_mat(SUB, 18446744073709551615UL, 1, A)));
typedef float bad15 __attribute__((coop_mat(SUB, 1024, 65, A)));
typedef float bad16 __attribute__((coop_mat(SUB, 16.0f, 8, A)));
typedef float bad17 __attribute__((coop_mat(SUB, 16, 8, -1)));
typedef float bad18 __attribute__((coop_mat(SUB, 16, 8, "A")));
typedef float bad19 __attribute__((coop_mat()));
typedef float bad20 __attribute__((coop_mat(SUB, , 8, A)));
typedef float bad21 __attribute__((coop_mat(SUB, n, 8, A)));
typedef float bad22 __attribute__((coop_mat(SUB, int, 8, A)));
// declarations
typedef float bad23 __attribute__((coop_mat(SUB, 16, 8, A), coop_mat(SUB, 8, 8, A)));
typedef float bad24 __attribute__((coop_mat(SUB, 16, 8, A))) __attribute__((coop_mat(SUB, 8, 8, A)));
struct bad25 { int i; } __attribute__((coop_mat(SUB, 16, 8, A)));
enum bad26 { X } __attribute__((coop_mat(SUB, 16, 8, A)));
int statements(int n)
{
    __attribute__((coop_mat(SUB, 16, 8, A))) n = 1;
    __attribute__((coop_mat(SUB, 16, 8, A)));
    __attribute__((coop_mat(SUB, 16, 8, A))) while (n)
        n--;
label:
    __attribute__((coop_mat(SUB, 16, 8, A))) n++;
    if (n < 3)
        goto label;
    return n;
}
// valid
float result(void) __attribute__((coop_mat(SUB, 16, 8, A)));
__attribute__((coop_mat(SUB, 16, 8, A))) typedef float before;
struct member { float m __attribute__((__coop_mat__(3, 16, 4 + 4, A))); };
void same(struct member s)
{
    float m __attribute__((coop_mat(SUB, 16, 8, A)));
    before b = m = s.m;
    fa list[2][2] = {{b, b}, {m, m}}, (*row)[2] = list;
    row[1][0] = m;
}
// SPDX-License-Identifier: Apache-2.0
