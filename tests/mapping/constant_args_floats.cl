// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -constant-args-ubo
// env: vulkan1.0
// expect: OpTypeArray %v4uint
// expect: OpTypeRuntimeArray %float
// Uniform buffers contain vectors of integers, also for loads of floats.
kernel void k(global float *a, constant float *b, constant float4 *c)
{
    uint i = get_global_id(0);
    a[i] = a[i] * b[i] + b[i + 1] + c[i].y;
}
