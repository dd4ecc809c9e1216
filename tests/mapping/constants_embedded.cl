// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,k,arg,given,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,buffer
// map: kernel,k,arg,n,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,pod,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: Private %
// never: ConstantData
// The program's constants are part of the module; a pointer may refer to them or to a buffer, and they contain pointers.
constant int odd[5] = {1, 3, 5, 7, 9}, even[4] = {0, 2, 4, 6};
constant int *constant both[2] = {odd, even};
kernel void k(global int *out, constant int *given, int n)
{
    constant int *p = n & 1 ? given : both[n & 2];
    out[n] = p[n & 3] + odd[n & 3];
}
