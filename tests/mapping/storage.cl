// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,a,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,b,argOrdinal,2,descriptorSet,0,binding,1,offset,0,argKind,buffer
// map: kernel,foo,arg,f,argOrdinal,1,descriptorSet,0,binding,2,offset,0,argKind,pod,argSize,4
// map: kernel,foo,arg,c,argOrdinal,3,descriptorSet,0,binding,2,offset,4,argKind,pod,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpExtension "SPV_KHR_storage_buffer_storage_class"
// expect: OpEntryPoint GLCompute %3 "foo"
// expect: OpTypeStruct %uint %uint
// expect: ArgumentStorageBuffer
// expect: ArgumentPodStorageBuffer
// expect: SpecConstantWorkgroupSize %uint_0 %uint_1 %uint_2
// never: Int64
// never: "float*"
// never: GLSL.std.450
// never: PushConstant
// Pointers first, then plain data in one block.
kernel void foo(global int *a, float f, global float *b, uint c)
{
    uint i = get_global_id(0);
    a[i] = (f + b[i]) * c;
}
