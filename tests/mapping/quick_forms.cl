// SPDX-License-Identifier: Apache-2.0
// What takes an operation of Vulkan's, whose bounds are OpenCL's, or sums of products in fewer than the definition.
// target: vulkan
// expect: InverseSqrt
// expect: Fma
// never: OpFAdd
// never: OpFDiv
kernel void k(global float *p, global float4 *q)
{
    p[0] = rsqrt(p[1]);
    p[2] = dot(q[0], q[1]);
    p[3] = mix(p[4], p[5], p[6]);
}
