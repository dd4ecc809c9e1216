// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -physical-storage-buffers -cluster-pod-kernel-args=0 -arch=spirv64
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,a,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,pointer_ubo,argSize,8
// map: kernel,foo,arg,f,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,pod_ubo,argSize,4
// map: kernel,foo,arg,b,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,pointer_ubo,argSize,8
// map: kernel,foo,arg,c,argOrdinal,3,descriptorSet,0,binding,3,offset,0,argKind,pod_ubo,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// never: PushConstant
// Push constants are one block: separate arguments use uniform buffers.
kernel void foo(global int *a, float f, constant float *b, uint c) { a[get_global_id(0)] = f * b[c]; }
