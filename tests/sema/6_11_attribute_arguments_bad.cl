void a(void) __attribute__((convergent(1)));
void b(void) __attribute__((const("x", 2), noinline(1)));
struct c { int a; } __attribute__((packed(1)));
void d(void) __attribute__((overloadable(1)));
void e(void) __attribute__((convergent(), unused, pure));
kernel void f(__attribute__((nosvm)) global int *p);
kernel __attribute__((vec_type_hint(bool))) void g(void) {}
kernel __attribute__((vec_type_hint(uint4))) void h(void) {}
kernel __attribute__((reqd_work_group_size(1, 1, 4294967294))) void i(void) {}
kernel __attribute__((reqd_work_group_size(1, 1, 4294967296))) void j(void) {}
// SPDX-License-Identifier: Apache-2.0
