// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_fp16
// run: k global 4
// arg: buffer half 1.5 -2 65504 0.0001
// arg: out half 16
// arg: out float 4
// expect: arg1 half 2.5 -1 65504 1  3 -4 inf 0.0002  0.5 -0.66666 21834.66 3.333e-5  -1.5 2 -65504 -0.0001
// expect: arg2 float 1.5 -2 65504 0x1.a38p-14
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global half *a, global half *b, global float *c)
{
    int i = get_global_id(0);
    half x = a[i];
    b[i] = x + (half)1;
    b[i + 4] = x * (half)2;
    b[i + 8] = x / (half)3;
    b[i + 12] = -x;
    c[i] = x;
}
