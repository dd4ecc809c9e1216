// SPDX-License-Identifier: Apache-2.0
// The device determines the sub-group size: a work-group may have many sub-groups, or one that is larger than elsewhere.
// target: vulkan
// options: -cl-std=CL3.0 -spv-version=1.3
// env: vulkan1.1
// expect: OpTypeArray %uint %uint_256
// expect: BuiltIn SubgroupSize
// expect: OpGroupNonUniformBallotBitExtract
kernel void group(global int *out) { out[get_global_id(0)] = work_group_reduce_add((int)get_local_id(0)); }
kernel void in_turn(global long *out) { out[get_global_id(0)] = sub_group_reduce_add((long)get_local_id(0)); }
