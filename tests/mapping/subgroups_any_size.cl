// SPDX-License-Identifier: Apache-2.0
// How large sub-groups are the device says: there may be many in a work-group, or one with more work-items than elsewhere.
// target: vulkan
// options: -cl-std=CL3.0 -spv-version=1.3
// env: vulkan1.1
// expect: OpTypeArray %uint %uint_256
// expect: BuiltIn SubgroupSize
// expect: OpGroupNonUniformBallotBitExtract
kernel void group(global int *out) { out[get_global_id(0)] = work_group_reduce_add((int)get_local_id(0)); }
kernel void in_turn(global long *out) { out[get_global_id(0)] = sub_group_reduce_add((long)get_local_id(0)); }
