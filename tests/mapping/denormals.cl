// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -denorm-preserve=16,32 -rounding-mode-rte=32 -spv-version=1.4
// env: vulkan1.1spv1.4
// expect: DenormPreserve 32
// expect: RoundingModeRTE 32
// never: DenormPreserve 16
kernel void k(global float *p) { p[0] = p[1] * p[2]; }
