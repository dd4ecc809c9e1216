// SPDX-License-Identifier: Apache-2.0
// Functions that the options name are device instructions, others are not.
// target: vulkan
// options: -use-native-builtins=exp,fma,sincos
// expect: Fma %float_3
// expect: OpExtInst %double
// expect: OpExtInst %half
// expect: Exp2
// never: OpBitcast %ulong
// never: Log2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *p, global double *d, global half *h)
{
    p[0] = fma(3.0f, p[1], p[2]);
    d[0] = fma(d[1], d[2], d[3]);
    h[0] = fma(h[1], h[2], h[3]);
    p[3] = exp(p[4]) + log(p[5]);
}
