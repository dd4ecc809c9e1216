// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: kernel_decl,foo
// map: kernel,foo,arg,in,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,ro_image
// map: kernel,foo,arg,s,argOrdinal,2,descriptorSet,0,binding,1,offset,0,argKind,sampler
// map: kernel,foo,arg,out,argOrdinal,3,descriptorSet,0,binding,2,offset,0,argKind,wo_image
// map: kernel,foo,arg,sizes,argOrdinal,4,descriptorSet,0,binding,3,offset,0,argKind,buffer
// map: kernel,foo,arg,f,argOrdinal,1,descriptorSet,0,binding,4,offset,0,argKind,pod,argSize,4
// map: kernel_decl,bar
// map: kernel,bar,arg,in,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,ro_image
// map: kernel,bar,arg,out,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,wo_image
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpTypeImage %float 2D 0 0 0 1 Unknown
// expect: OpTypeImage %float 3D 0 0 0 2 Unknown
// expect: OpTypeImage %uint 1D 0 1 0 1 Unknown
// expect: OpTypeImage %uint 2D 0 1 0 2 Unknown
// expect: = OpTypeSampler
// expect: OpImageSampleExplicitLod %v4float
// expect: OpImageFetch %v4uint
// expect: OpImageQuerySizeLod %v2uint
// expect: OpImageQuerySize %v3uint
// expect: OpCapability ImageQuery
// expect: OpCapability StorageImageWriteWithoutFormat
// expect: ArgumentSampledImage
// expect: ArgumentStorageImage
// expect: ArgumentSampler
// expect: "NonSemantic.ClspvReflection.5"
// never: PushConstant
// never: LiteralSampler
kernel void foo(read_only image2d_t in, float f, sampler_t s, write_only image3d_t out, global int2 *sizes)
{
    int x = get_global_id(0);
    write_imagef(out, (int4)(x, 0, 0, 0), read_imagef(in, s, (float2)(x, f)));
    sizes[x] = get_image_dim(in) + get_image_depth(out);
}
kernel void bar(read_only image1d_array_t in, write_only image2d_array_t out)
{
    int x = get_global_id(0);
    write_imageui(out, (int4)(x, 0, 1, 0), read_imageui(in, (int2)(x, 2)));
}
