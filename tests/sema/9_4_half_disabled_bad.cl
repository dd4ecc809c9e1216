half before(half a) { return a * 2.0h; }
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
constant float f = 1.0h;
half disabled(half *p, half h)
{
    half a[2];
    float c = *p;
    *p = c;
    c = p[1] + (half)c;
    vstore_half(c, 0, p);
    return h;
}
struct s {
    int a;
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    half b;
};
half after(half a) { return a; }
#pragma OPENCL EXTENSION all : disable
half again(half *a);
// SPDX-License-Identifier: Apache-2.0
