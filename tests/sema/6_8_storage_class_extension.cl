// options: -cl-std=CL1.0
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
static int twice(int a)
{
    register int b = a;
    auto int c = b;
    return b + c;
}
extern constant int given;
constant int given = 3;
kernel void k(global int *p) { *p = twice(given); }
// SPDX-License-Identifier: Apache-2.0
