// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// map: sampler,18,samplerExpr,"CLK_ADDRESS_CLAMP_TO_EDGE|CLK_FILTER_NEAREST|CLK_NORMALIZED_COORDS_FALSE",descriptorSet,0,binding,0
// map: sampler,39,samplerExpr,"CLK_ADDRESS_REPEAT|CLK_FILTER_LINEAR|CLK_NORMALIZED_COORDS_TRUE",descriptorSet,0,binding,1
// map: sampler,19,samplerExpr,"CLK_ADDRESS_CLAMP_TO_EDGE|CLK_FILTER_NEAREST|CLK_NORMALIZED_COORDS_TRUE",descriptorSet,0,binding,2
// map: kernel_decl,foo
// map: kernel,foo,arg,in,argOrdinal,0,descriptorSet,1,binding,0,offset,0,argKind,ro_image
// map: kernel,foo,arg,out,argOrdinal,1,descriptorSet,1,binding,1,offset,0,argKind,wo_image
// map: kernel_decl,bar
// map: kernel,bar,arg,in,argOrdinal,0,descriptorSet,1,binding,0,offset,0,argKind,ro_image
// map: kernel,bar,arg,volume,argOrdinal,1,descriptorSet,1,binding,1,offset,0,argKind,ro_image
// map: kernel,bar,arg,out,argOrdinal,2,descriptorSet,1,binding,2,offset,0,argKind,buffer
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: LiteralSampler
// expect: "NonSemantic.ClspvReflection.5"
// never: PushConstant
// Equal samplers of all kernels are one. Volumes use a second, normalized one.
constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void foo(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, texels, at));
}
float4 smooth(read_only image2d_t in, sampler_t s, float2 at) { return read_imagef(in, s, at); }
kernel void bar(read_only image2d_t in, read_only image3d_t volume, global float4 *out)
{
    const sampler_t tiles = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    int x = get_global_id(0);
    out[x] = smooth(in, tiles, 1.5f) + read_imagef(in, texels, (int2)x) + read_imagef(volume, texels, (int4)x);
}
