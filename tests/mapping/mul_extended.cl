// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -hack-mul-extended
// env: vulkan1.0
// never: MulExtended
// expect: OpIMul %uint
// expect: OpIMul %ulong
kernel void words(global uint *p, global int2 *q) { p[0] = mul_hi(p[1], p[2]) + p[3] / 7; q[0] = mul_hi(q[1], q[2]); }
kernel void longs(global long *p) { p[0] = mul_hi(p[1], p[2]); }
