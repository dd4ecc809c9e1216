__attribute__((reqd_work_group_size(1, 1, 1))) void f(void);
__attribute__((work_group_size_hint(1, 1, 1))) void g(void) {}
void h(void) __attribute__((vec_type_hint(int)));
__attribute__((intel_reqd_sub_group_size(8))) void i(void) {}
__attribute__((reqd_work_group_size(1, 1, 1))) constant int a = 1;
constant int b __attribute__((work_group_size_hint(1, 1, 1))) = 1;
struct __attribute__((reqd_work_group_size(1, 1, 1))) s { int a; };
struct t { int a __attribute__((vec_type_hint(int))); };
typedef __attribute__((vec_type_hint(int))) int u;
void v(int x __attribute__((work_group_size_hint(1, 1, 1)))) {}
kernel void k(global int *p)
{
    int x __attribute__((reqd_work_group_size(1, 1, 1)));
    __attribute__((reqd_work_group_size(1, 1, 1))) for (int j = 0; j < 3; j++)
        p[j] = j;
    __attribute__((vec_type_hint(int))) p[0] = 1;
}
__attribute__((reqd_work_group_size(1, 1, 1))) kernel void fine(global int *p) {}
kernel void fine_too(global int *p) __attribute__((vec_type_hint(int)));
// SPDX-License-Identifier: Apache-2.0
