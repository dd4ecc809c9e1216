// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0 -Werror
// Forms that C allows with a warning: types declared in parameter lists, newer features, formats.
typedef int word;
typedef int word;
typedef unsigned int uint;
struct known { int a; };
void hidden(struct unknown *p);
void hidden_too(struct inner { int a; } s, enum choice { X } e) { struct inside { int a; } t; }
void hidden_nameless(enum { Y, Z } e);
void fine(struct known *p);
kernel void forms(global int *p, int n, float4 f, double4 d, uchar4 c, int4 v)
{
    switch (n) { case 1: n++; default: }
    switch (n) { case 5 ... 3: n++; case 7 ... 8: break; }
    printf("%v4f %v4hlf %v4f %v2f\n", f, f, d, f.xy);
    printf("%v4d %v4x %v4hhx %v4hld\n", v, c, c, v);
    printf("%f %lf %hf %5.2le\n", 1.0f, 1.0, 1.0f, 1.0);
    if (n) goto end;
    p[0] = n;
end:
}
int *stack(int *p) { int x; return p ? p : &x; }
int *stack2(void) { int x[2]; return x; }
int *stack3(int y) { return (int *)&y; }
int *stack4(int *y) { return y; }
