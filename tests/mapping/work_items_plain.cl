// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -work-dim=0
// env: vulkan1.0
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: %uint_3 = OpConstant %uint 3
// never: SpecConstantWorkDim
// never: SpecConstantGlobalOffset
kernel void k(global uint *out) { out[get_global_id(0)] = get_work_dim() + get_global_offset(0); }
