// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -cl-std=CL2.0 -cl-uniform-work-group-size -distinct-kernel-descriptor-sets
// env: vulkan1.0
// map: variables,descriptorSet,2,binding,0,kind,buffer,hexbytes,0700000003000000050000001000000801000000
// map: kernel_decl,count
// map: kernel,count,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel_decl,reset
// map: kernel,reset,arg,by,argOrdinal,0,descriptorSet,1,binding,0,offset,0,argKind,pod,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: ProgramScopeVariablesStorageBuffer %uint_2 %uint_0
// Program-scope variables, and pointers in them.
global int times = 7;
constant int steps[2] = {3, 5};
global int last = 1;
global int *global current = &last;
kernel void count(global int *out)
{
    out[get_global_id(0)] = atomic_add(&times, steps[get_global_id(0) & 1]) + *current;
}
kernel void reset(int by)
{
    times = by;
    current = by ? &times : &last;
}
