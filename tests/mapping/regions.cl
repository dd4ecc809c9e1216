// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -cl-std=CL2.0 -global-offset -pod-pushconstant
// env: vulkan1.0
// map: pushconstant,name,global_offset,offset,0,size,12
// map: pushconstant,name,enqueued_local_size,offset,16,size,12
// map: pushconstant,name,global_size,offset,32,size,12
// map: pushconstant,name,region_offset,offset,48,size,12
// map: pushconstant,name,num_workgroups,offset,64,size,12
// map: pushconstant,name,region_group_offset,offset,80,size,12
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,k,arg,x,argOrdinal,1,offset,96,argKind,pod_pushconstant,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: PushConstantGlobalOffset %uint_0 %uint_12
// expect: PushConstantRegionGroupOffset
kernel void k(global int *out, int x)
{
    *out = get_global_offset(0) + get_num_groups(0) + get_enqueued_local_size(0) + get_global_size(0) + get_global_id(0) +
           get_group_id(0) + x;
}
