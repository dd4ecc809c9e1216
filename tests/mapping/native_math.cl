// SPDX-License-Identifier: Apache-2.0
// Every function that the device has is a device instruction.
// target: vulkan
// options: -cl-native-math
// expect: Fma
// expect: Exp2
// expect: Log2
// expect: Cos
// never: OpBitcast
kernel void k(global float *p)
{
    p[0] = fma(p[0], p[1], p[2]);
    p[3] = exp(p[4]) + log(p[5]) + cos(p[6]);
}
