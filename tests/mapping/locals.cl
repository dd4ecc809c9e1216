// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,one
// map: kernel,one,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,one,arg,floats,argOrdinal,1,argKind,local,arrayElemSize,4,arrayNumElemSpecId,3
// map: kernel,one,arg,fours,argOrdinal,2,argKind,local,arrayElemSize,16,arrayNumElemSpecId,4
// map: kernel,one,arg,three,argOrdinal,3,descriptorSet,0,binding,1,offset,0,argKind,pod,argSize,12
// map: kernel,one,arg,more,argOrdinal,4,descriptorSet,0,binding,1,offset,16,argKind,pod,argSize,6
// map: kernel,one,arg,last,argOrdinal,5,descriptorSet,0,binding,1,offset,24,argKind,pod,argSize,4
// map: kernel_decl,two
// map: kernel,two,arg,out,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,two,arg,fours,argOrdinal,1,argKind,local,arrayElemSize,16,arrayNumElemSpecId,4
// map: kernel,two,arg,ints,argOrdinal,2,argKind,local,arrayElemSize,4,arrayNumElemSpecId,5
// map: kernel,two,arg,rest,argOrdinal,3,argKind,local,arrayElemSize,16,arrayNumElemSpecId,6
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// Kernels share the specialization constants of local arguments of one type; three lanes have the size of four.
kernel void one(global float *out, local float *floats, local int4 *fours, float3 three, short3 more, float last)
{
    floats[0] = out[0] + three.z + more.z;
    out[1] = floats[1] + fours[1].y + last;
}
kernel void two(global float *out, local uint4 *fours, local int *ints, local int4 *rest)
{
    ints[0] = out[0];
    out[1] = fours[1].x + ints[1] + rest[2].x;
}
