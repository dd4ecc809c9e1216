// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -reflection=5
// error: samplers_untold.cl:5:13: error: kernel 'foo': -reflection=5 cannot describe the program, use -reflection=6
kernel void foo(global float4 *out, read_only image3d_t volume, sampler_t s)
{
    out[get_global_id(0)] = read_imagef(volume, s, (float4)get_global_id(0));
}
