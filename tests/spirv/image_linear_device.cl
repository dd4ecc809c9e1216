// The device filters: one sample for each read, with samplers of the launch; coordinates in texels are scaled.
// target: h200
// expect: OpTypeSampler
// expect: OpTypeArray
// expect: OpImageSampleExplicitLod %v4float
// never: OpImageFetch
// never: OpBranchConditional
kernel void k(read_only image2d_t image, global float4 *out)
{
    const sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    const sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    out[1] = read_imagef(image, repeat, out[0].xy);
    out[2] = read_imagef(image, texels, out[0].xy);
}
// SPDX-License-Identifier: Apache-2.0
