// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,a,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,b,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,buffer
// map: kernel,foo,arg,d,argOrdinal,3,argKind,local,arrayElemSize,8,arrayNumElemSpecId,3
// map: kernel,foo,arg,c,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,pod,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpEntryPoint GLCompute %3 "foo"
// expect: OpTypeInt 32 0
// never: OpTypeInt 32 1
// Signed integers are declared as unsigned ones.
#if VULKAN != 100
#error the macro has another value
#endif
void kernel foo(global int* a, global float* b, uint c, float2 local* d)
{
    uint i = get_local_id(0);
    d[i] = (float2)(b[get_global_id(0)], c);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = d[i ^ 1].x + d[i].y;
}
