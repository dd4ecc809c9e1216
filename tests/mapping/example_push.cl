// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-pushconstant
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,a,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,b,argOrdinal,2,descriptorSet,0,binding,1,offset,0,argKind,buffer
// map: kernel,foo,arg,f,argOrdinal,1,offset,0,argKind,pod_pushconstant,argSize,4
// map: kernel,foo,arg,c,argOrdinal,3,offset,4,argKind,pod_pushconstant,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
kernel void foo(global int* a, float f, global float* b, uint c)
{
    uint i = get_global_id(0);
    a[i] = f * b[i] + c;
}
