// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,L,argOrdinal,0,argKind,local,arrayElemSize,4,arrayNumElemSpecId,3
// map: kernel,foo,arg,A,argOrdinal,1,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,L2,argOrdinal,2,argKind,local,arrayElemSize,16,arrayNumElemSpecId,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
kernel void foo(local float* L, global float* A, local float4 *L2)
{
    uint i = get_local_id(0), last = get_local_size(0) - 1;
    L[i] = A[get_global_id(0)];
    L2[i] = (float4)(0, i, 0, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    A[get_global_id(0)] = L[last - i] + 100 * L2[last - i].y;
}
