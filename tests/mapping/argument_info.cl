// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// options: -cl-kernel-arg-info
// expect: = OpString "float*"
// expect: OpConstant %uint 4507
// Argument information for clGetKernelArgInfo is included on request.
kernel void foo(global float *a, constant float *b)
{
    uint i = get_global_id(0);
    a[i] += b[i];
}
