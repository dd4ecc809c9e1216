// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -constant-args-ubo -cluster-pod-kernel-args=0 -distinct-kernel-descriptor-sets -no-8bit-storage=ssbo,ubo -int8=0
// env: vulkan1.0
// map: kernel_decl,first
// map: kernel,first,arg,n,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,pod,argSize,4
// map: kernel,first,arg,c,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,buffer_ubo
// map: kernel,first,arg,out,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,buffer
// map: kernel_decl,second
// map: kernel,second,arg,c,argOrdinal,0,descriptorSet,1,binding,0,offset,0,argKind,buffer_ubo
// map: kernel,second,arg,out,argOrdinal,1,descriptorSet,1,binding,1,offset,0,argKind,buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: %uint_4096 = OpConstant %uint 4096
// never: OpCapability Int8
// never: StorageBuffer8BitAccess
// Bytes and longs are read from words of uniform buffers; each kernel has a descriptor set of its own.
kernel void first(int n, constant uchar3 *c, global uint *out) { out[n] = c[n].y; }
kernel void second(constant ulong *c, global ulong *out) { out[get_global_id(0)] = c[get_global_id(0)]; }
