// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -distinct-kernel-descriptor-sets -spv-version=1.4
// env: vulkan1.1spv1.4
// map: kernel_decl,foo
// map: kernel,foo,arg,A,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,n,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,pod,argSize,4
// map: kernel,foo,arg,c,argOrdinal,2,descriptorSet,0,binding,1,offset,16,argKind,pod,argSize,16
// map: kernel_decl,bar
// map: kernel,bar,arg,B,argOrdinal,0,descriptorSet,1,binding,0,offset,0,argKind,buffer
// map: kernel,bar,arg,m,argOrdinal,1,descriptorSet,1,binding,1,offset,0,argKind,pod,argSize,4
// expect: OpExecutionMode %3 LocalSize 4 2 1
// expect: LocalSize 8 1 1
// expect: PropertyRequiredWorkgroupSize
// expect: DescriptorSet 1
// never: SpecId
// never: SPV_KHR_storage_buffer_storage_class
// All kernels fix their size: there are no specialization constants for it.
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void foo(global float4 *A, int n, float4 c) { A[n] = c; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void bar(global int *B, int m) { B[get_global_id(0)] = m; }
