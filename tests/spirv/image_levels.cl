// Mip levels of an image: its size is queried and shifted, and texels are fetched from a level that is known at run time.
// options: -cl-std=CL2.0
// expect: OpImageFetch %v4float
// expect: Lod %
// never: OpImageSampleExplicitLod
kernel void k(read_only image2d_array_t image, sampler_t sampler, global float4 *out, float lod)
{
    out[1] = read_imagef(image, sampler, out[0], lod) + get_image_num_mip_levels(image);
    out[2] = read_imagef(image, sampler, out[0], (float2)(lod, 0), (float2)(0, lod));
}
// SPDX-License-Identifier: Apache-2.0
