// A sampler argument is a number in the push block, which the code tests.
// expect: OpImageFetch
// expect: OpBranchConditional
// never: OpTypeSampler
kernel void k(read_only image2d_t image, sampler_t sampler, global float4 *out)
{
    out[1] = read_imagef(image, sampler, out[0].xy);
}
// SPDX-License-Identifier: Apache-2.0
