// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// expect: "NonSemantic.ClspvReflection.6"
// expect: ArgumentSampler
// expect: %uint_2 %uint_0 %uint_4
// expect: OpTypeImage %float 3D 0 0 0 1 Unknown
// A volume's coordinates are normalized with the sampler's properties, which the launch specifies in push constants.
kernel void foo(global float4 *out, read_only image3d_t volume, sampler_t s)
{
    out[get_global_id(0)] = read_imagef(volume, s, (float4)get_global_id(0));
}
