// SPDX-License-Identifier: Apache-2.0
// Vulkan operations whose error bounds satisfy OpenCL, and sums of products in fewer operations than the definition.
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
