// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// options: -pod-pushconstant
// expect: OpDecorate %_runtimearr_float ArrayStride 4
// expect: OpDecorate %_runtimearr_v3float ArrayStride 16
// expect: OpStore %18 %23
// never: OpBitcast
// never: OpTypeRuntimeArray %uint
// never: OpCompositeConstruct %v3float
// Buffers of floats are declared as such, also vectors of three, and each address is computed once; copies need no bitcasts.
kernel void foo(global float *a, global float3 *b, global float *c)
{
    uint i = get_global_id(0);
    a[i] = a[i] * 2.0f + 1.0f;
    b[i] = b[i] * b[i + 1];
    c[i] = a[i + 1] + 3.0f;
    c[i + 2] = a[i + 2];
}
