// SPDX-License-Identifier: Apache-2.0
// A product that may be contracted is one operation, which is as fast on any device and rounds in any way; one that
// may not is two.
// target: vulkan
// expect: Fma %float_3
// expect: Fma %float_5
// expect: OpExtInst %double
// expect: OpFNegate %float
// expect: OpFNegate %double
// expect: OpFMul %float
// expect: OpExtInst %half
// never: OpFMul %double
// never: OpFMul %half
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *p, global double *d, global half *h)
{
    p[0] = 3.0f * p[1] + p[2];
    p[3] -= p[4] * p[5];
    p[6] = mad(5.0f, p[7], p[8]);
    d[0] = d[1] * d[2] - d[3];
    h[0] = h[1] * h[2] + h[3];
#pragma OPENCL FP_CONTRACT OFF
    p[9] = p[10] * p[11] + p[12];
}
