// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -spv-version=1.3
// env: vulkan1.1
// map: kernel_decl,hinted
// map: kernel,hinted,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel_decl,fixed
// map: kernel,fixed,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: SpecConstantWorkgroupSize
// expect: PropertyRequiredWorkgroupSize
// expect: OpExecutionMode
// expect: LocalSize 8 2 1
// Hints have no effect; a required size is fixed, and specialization constants remain for the other kernel.
struct __attribute__((packed)) pair { uchar x; __attribute__((endian(host))) int y; };
kernel __attribute__((work_group_size_hint(4, 1, 1))) __attribute__((vec_type_hint(float4))) void hinted(global struct pair *out)
{
    out[get_global_id(0)].y = 5;
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global int *out) { out[get_global_id(0)] = get_local_size(1); }
