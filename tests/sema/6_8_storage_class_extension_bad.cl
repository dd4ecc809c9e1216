// options: -cl-std=CL1.1
register int before(void);
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
auto constant int a = 1;
void f(void)
{
    static int b;
    register int c;
    int *p = &c;
}
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : disable
static void after(void) {}
// SPDX-License-Identifier: Apache-2.0
