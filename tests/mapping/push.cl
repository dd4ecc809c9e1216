// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-pushconstant
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,s,argOrdinal,1,offset,0,argKind,pod_pushconstant,argSize,2
// map: kernel,foo,arg,c,argOrdinal,2,offset,2,argKind,pod_pushconstant,argSize,1
// map: kernel,foo,arg,y,argOrdinal,3,offset,16,argKind,pod_pushconstant,argSize,16
// map: kernel,foo,arg,p,argOrdinal,4,offset,32,argKind,pod_pushconstant,argSize,12
// map: kernel_decl,bar
// map: kernel,bar,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,bar,arg,a,argOrdinal,1,offset,0,argKind,pod_pushconstant,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpEntryPoint GLCompute %3 "foo"
// expect: "bar"
// expect: ArgumentPodPushConstant
struct three { int a, b, c; };
kernel void foo(global int *out, short s, char c, int4 y, struct three p) { out[get_global_id(0)] = s + c + y.z + p.b; }
kernel void bar(global int *out, int a) { out[get_global_id(0)] = a; }
