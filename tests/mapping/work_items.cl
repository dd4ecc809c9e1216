// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -global-offset
// env: vulkan1.0
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// map: spec_constant,work_dim,spec_id,3
// map: spec_constant,global_offset_x,spec_id,4
// map: spec_constant,global_offset_y,spec_id,5
// map: spec_constant,global_offset_z,spec_id,6
// expect: BuiltIn WorkgroupId
// expect: BuiltIn WorkgroupSize
// expect: BuiltIn LocalInvocationId
// expect: BuiltIn NumWorkgroups
kernel void k(global uint *out)
{
    uint i = get_global_id(0) - get_global_offset(0);
    out[8 * i] = get_work_dim();
    out[8 * i + 1] = get_global_size(1);
    out[8 * i + 2] = get_global_id(2);
    out[8 * i + 3] = get_local_size(0);
    out[8 * i + 4] = get_local_id(1);
    out[8 * i + 5] = get_num_groups(0);
    out[8 * i + 6] = get_group_id(2);
    out[8 * i + 7] = get_global_offset(0);
}
