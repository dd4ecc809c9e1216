// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.1
// expect: OpDecorate %_runtimearr_v3uchar ArrayStride 4
// expect: OpDecorate %_runtimearr_v3ushort ArrayStride 8
// never: OpCompositeConstruct
// never: OpTypeRuntimeArray %uint
// Vectors of three small elements get a typed view too.
kernel void k(global uchar3 *a, global short3 *b, uint i)
{
    a[i] += a[i + 1];
    b[i] = max(b[i], b[i + 1]);
}
