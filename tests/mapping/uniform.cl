// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-ubo
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,L,argOrdinal,0,argKind,local,arrayElemSize,4,arrayNumElemSpecId,3
// map: kernel,foo,arg,A,argOrdinal,1,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,LS,argOrdinal,3,argKind,local,arrayElemSize,8,arrayNumElemSpecId,4
// map: kernel,foo,arg,C,argOrdinal,4,descriptorSet,0,binding,1,offset,0,argKind,buffer
// map: kernel,foo,arg,f,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,pod_ubo,argSize,4
// map: kernel,foo,arg,g,argOrdinal,5,descriptorSet,0,binding,2,offset,16,argKind,pod_ubo,argSize,16
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpVariable %_ptr_Uniform__struct
// expect: ArgumentPodUniform
// expect: ArgumentWorkgroup
// A local array accessed with another element type: the specialization constant counts elements of its own type.
// expect: OpSpecConstantOp %uint IMul
struct pair { int x, y; };
kernel void foo(local float *L, global float *A, float f, local struct pair *LS, constant float *C, float4 g)
{
    uint i = get_local_id(0);
    L[i] = A[i];
    LS[i].x = i;
    LS[i].y = 2 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    A[i] = L[0] + LS[i ^ 1].y + f * C[i] + g.w;
}
