// options: -cl-std=CL2.0
struct fine { global int *p; };
struct s { int *p; };
union u { int a; struct s b[2]; };
kernel void a(global int *global *p, constant int *local *q, struct fine x) {}
kernel void b(int *global *p) {}
kernel void c(global int *private *global *p) {}
kernel void d(generic int *p) {}
kernel void e(struct s x) {}
kernel void f(union u x) {}
// SPDX-License-Identifier: Apache-2.0
