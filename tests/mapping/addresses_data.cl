// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -physical-storage-buffers -arch=spirv64 -cl-std=CL2.0 -uniform-workgroup-size -enable-printf -printf-buffer-size=4096
// env: vulkan1.2
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,offset,16,argKind,pointer_pushconstant,argSize,8
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpString "00000000000000000500000007000000"
// expect: ProgramScopeVariablePointerPushConstant %uint_0 %uint_8
// expect: ProgramScopeVariablePointerRelocation %uint_12 %uint_0 %uint_8
// expect: PrintfBufferPointerPushConstant %uint_8 %uint_8 %uint_4096
// expect: PrintfInfo %uint_0
// never: DescriptorSet
// The addresses of both buffers are push constants; the program fills in pointers in the data.
global int pair[2] = {5, 7};
global int *global second = pair + 1;
kernel void k(global int *out)
{
    out[get_global_id(0)] = *second;
    printf("%d\n", pair[0]);
}
