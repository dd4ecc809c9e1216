// SPDX-License-Identifier: Apache-2.0
// needs: half_infinities
// needs: cl_khr_fp16
// run: k global 6
// arg: buffer half 3 -0x1p-13 0x1p-13 -0.0 inf 0.1
// arg: buffer half 0.5 0x1p-13 -0.0 5 0 -0.1
// arg: out half 30
// expect: arg2 half 3.5 0 0x1p-13 5 inf 0  1.5 -0.0 0 0 nan -0x1.478p-7  1.5 -0.0 -0.0 -0.0 nan -0x1.478p-7  -2.5 0x1p-12 -0x1p-13 5 -inf -0x1.998p-3  0.5 0x1p-13 0 5 nan -0x1.998p-4
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global half *x, global half *y, global half *out)
{
    int i = get_global_id(0);
    out[i] = fma(x[i], (half)1, y[i]);
    out[i + 6] = fma(x[i], y[i], (half)0);
    out[i + 12] = fma(y[i], x[i], -(half)0);
    out[i + 18] = fma((half)-1, x[i], y[i]);
    out[i + 24] = fma((half)0, x[i], y[i]);
}
