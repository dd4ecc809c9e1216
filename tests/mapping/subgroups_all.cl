// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -cl-std=CL2.0 -spv-version=1.3 -uniform-workgroup-size
// env: vulkan1.1
// expect: OpCapability GroupNonUniform
// expect: OpCapability GroupNonUniformVote
// expect: OpCapability GroupNonUniformArithmetic
// expect: OpCapability GroupNonUniformBallot
// expect: BuiltIn SubgroupSize
// expect: BuiltIn NumSubgroups
// expect: BuiltIn SubgroupId
// expect: BuiltIn SubgroupLocalInvocationId
// expect: OpGroupNonUniformBroadcast %uint
// expect: OpGroupNonUniformAll %bool
// expect: OpGroupNonUniformAny %bool
// expect: OpGroupNonUniformIAdd %uint %uint_3 Reduce
// expect: OpGroupNonUniformFAdd %float %uint_3 ExclusiveScan
// expect: OpGroupNonUniformSMin %uint %uint_3 InclusiveScan
// expect: OpGroupNonUniformUMin %uint %uint_3 Reduce
// expect: OpGroupNonUniformFMin %float %uint_3 Reduce
// expect: OpGroupNonUniformSMax %uint %uint_3 Reduce
// expect: OpGroupNonUniformUMax %uint %uint_3 Reduce
// expect: OpGroupNonUniformFMax %float %uint_3 Reduce
// expect: OpControlBarrier %uint_3 %uint_3
// never: GroupNonUniformShuffle
kernel void k(global int *a, global uint *b, global float *f)
{
    uint i = get_global_id(0);
    b[i] = get_sub_group_size() + get_num_sub_groups() * 100 + get_sub_group_id() * 1000 + get_sub_group_local_id() * 10000;
    a[i] = sub_group_broadcast(a[i], 0) + sub_group_all(a[i + 1]) + sub_group_any(a[i + 2]);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] += sub_group_reduce_add(a[i + 3]) + sub_group_scan_inclusive_min(a[i + 4]) + sub_group_reduce_max(a[i + 5]);
    b[i] += sub_group_reduce_min(b[i + 1]) + sub_group_reduce_max(b[i + 2]);
    f[i] = sub_group_scan_exclusive_add(f[i]) + sub_group_reduce_min(f[i + 1]) + sub_group_reduce_max(f[i + 2]);
}
