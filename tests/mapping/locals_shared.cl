// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,k
// map: kernel,k,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,k,arg,a,argOrdinal,1,argKind,local,arrayElemSize,4,arrayNumElemSpecId,3
// map: kernel,k,arg,b,argOrdinal,2,argKind,local,arrayElemSize,8,arrayNumElemSpecId,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpSpecConstantOp %uint BitwiseAnd
// expect: OpSpecConstantOp %uint UDiv
// A pointer to local memory that is selected at run time: the arguments follow the kernel's own variables in one array.
kernel void k(global int *out, local int *a, local int2 *b)
{
    local int own[5];
    uint i = get_local_id(0);
    local int *p = i % 3 == 0 ? own : i % 3 == 1 ? a : (local int *)b;
    p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = own[0] + a[1] + b[1].x;
}
