// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,in,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,uniform_texel_buffer
// map: kernel,foo,arg,out,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,storage_texel_buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpTypeImage %int Buffer 0 0 0 1 Unknown
// expect: OpTypeImage %int Buffer 0 0 0 2 Unknown
// expect: ArgumentUniformTexelBuffer
// expect: ArgumentStorageTexelBuffer
kernel void foo(read_only image1d_buffer_t in, write_only image1d_buffer_t out)
{
    int x = get_global_id(0);
    write_imagei(out, x, read_imagei(in, x) + get_image_width(in));
}
