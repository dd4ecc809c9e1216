// Linear filtering of a volume: eight fetches.
// expect: OpTypeImage %float 3D 0 0 0 1 Unknown
// expect: OpImageFetch
// never: OpBranchConditional
kernel void k(read_only image3d_t image, global float4 *out)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
    out[1] = read_imagef(image, sampler, out[0]);
}
// SPDX-License-Identifier: Apache-2.0
