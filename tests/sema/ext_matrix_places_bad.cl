#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP
#define A CLK_COOPERATIVE_MATRIX_A
#define B CLK_COOPERATIVE_MATRIX_B
typedef float fa __attribute__((coop_mat(SUB, 16, 8, A)));
typedef float fb __attribute__((coop_mat(SUB, 8, 4, B)));
struct holder { fa m; };
struct deeper { int i; struct holder h[2]; };
// storage
fa at_program_scope;
global fa in_global;
constant fa in_constant[2] = {0};
local fa in_local;
extern fa outside;
global struct deeper *global_pointer;
// kernels
kernel void kernel1(global fa *m) {}
kernel void kernel2(fa m[2]) {}
kernel fa kernel3(void) { fa m = coop_mat_init(0.0f); return m; }
kernel void kernel4(struct deeper d) {}
kernel void kernel5(constant struct deeper *d) {}
// types
union overlay1 { int i; fa m; };
union overlay2 { struct deeper d; int i; };
struct narrow { fa m : 3; };
void counted(int n) { fa m[n]; }
kernel void in_kernel(void) { local struct holder h; static fa m; }
// pointers
void pointers(fa m, struct holder h, fa list[2], global int *gi, float *f, struct holder *hp)
{
    const fa c = m;
    fa *p1 = &m;
    fa *p2 = &list[1];
    fa *p3 = &h.m;
    fa *p4 = &hp->m;
    float *p5 = &m[0];
    float *p6 = list;
    fa *p7 = f;
    fb *p8 = (fb *)f;
    float *p9 = hp;
    float *p10 = (float *)hp;
    gi = (global int *)list;
    list[0] = f[0];
    f[0] = list[0];
    c = m;
    c[0] = 1.0f;
    c += m;
    m[-1] = 0;
    m[128] = 0;
    m[0] = m;
    m[f] = 0;
    m[0] += m;
    (m + m)[0] = 1;
    coop_mat_length(m) = 1;
    printf("%f\n", m);
}
// SPDX-License-Identifier: Apache-2.0
