int a(int x, ...);
int (*pointer)(int);
int b(int x); float b(int x);
int c(int x) { return x; } int c(int x) { return x; }
int d[2](void);
int e(void)[2];
int f(int x, int x) { int x; return x; }
int g(void x);
int h(x) int x; { return x; }
constant int i = 1; int i(void);
void j(struct incomplete s) {}
local int k(void);
image2d_t l(void);
void m(local int x);
void n(void) { int inner(void) { return 1; } }
// SPDX-License-Identifier: Apache-2.0
