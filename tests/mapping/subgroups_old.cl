// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -cl-std=CL2.0
// error: subgroups_old.cl:6:58: error: 'sub_group_reduce_add' requires
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void k(global int *out) { out[get_global_id(0)] = sub_group_reduce_add((int)get_local_id(0)); }
