// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -denorm-preserve=32 -rounding-mode-rte=32 -spv-version=1.4
// env: vulkan1.1spv1.4
// expect: RoundingModeRTE 32
// never: DenormPreserve
// A conversion rounds, but neither takes nor gives a denormal.
kernel void k(global float *a, global const int *n)
{
    size_t i = get_global_id(0);
    a[i] = n[i];
}
