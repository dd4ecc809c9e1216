// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -max-pushconstant-size=8 -cl-std=CL2.0
// error: 12 bytes of push constants, -max-pushconstant-size is 8
kernel void k(global int *out) { *out = get_num_groups(0); }
