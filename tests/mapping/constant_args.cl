// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -constant-args-ubo -pod-ubo -max-ubo-size=4096
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,data,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,c,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,buffer_ubo
// map: kernel,foo,arg,b,argOrdinal,2,descriptorSet,0,binding,2,offset,0,argKind,buffer_ubo
// map: kernel,foo,arg,n,argOrdinal,3,descriptorSet,0,binding,3,offset,0,argKind,pod_ubo,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: ArgumentUniform
// expect: %uint_256 = OpConstant %uint 256
// expect: ArrayStride 16
// never: UniformAndStorageBuffer
// Uniform buffers contain vectors of 16 bytes for all data: every layout is accepted.
struct s {
    uchar x;
    short y;
    int4 z;
    long w[3];
};
kernel void foo(global struct s *data, constant struct s *c, constant char *b, int n)
{
    constant struct s *from = n ? c + 1 : (constant struct s *)b;
    data[n].x = b[n];
    data[n].y = c[n].y;
    data[n].z = c[n].z;
    data[n].w[1] = from[n].w[2];
}
