// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-pushconstant
// env: vulkan1.0
// map: kernel_decl,k
// map: kernel,k,arg,o,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,k,arg,c,argOrdinal,1,offset,0,argKind,pod_pushconstant,argSize,1
// map: kernel,k,arg,s,argOrdinal,2,offset,1,argKind,pod_pushconstant,argSize,3
// map: kernel,k,arg,h,argOrdinal,3,offset,4,argKind,pod_pushconstant,argSize,2
// map: kernel,k,arg,t,argOrdinal,4,offset,6,argKind,pod_pushconstant,argSize,4
// map: kernel,k,arg,d,argOrdinal,5,offset,10,argKind,pod_pushconstant,argSize,1
// map: kernel,k,arg,u,argOrdinal,6,offset,11,argKind,pod_pushconstant,argSize,3
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// Structs have their own alignment: words are assembled from smaller loads.
struct three { char at[3]; };
struct two { short x; uchar y; };
kernel void k(global int *o, char c, struct three s, short h, struct two t, uchar d, struct three u)
{
    o[0] = c + s.at[0] + s.at[2] + h + t.x + t.y + d + u.at[1];
}
