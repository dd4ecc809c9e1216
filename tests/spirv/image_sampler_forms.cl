// A literal sampler in any form is resolved: only fetches remain.
// expect: OpImageFetch %v4float
// never: OpBranchConditional
// never: OpSwitch
#define NEAREST (CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST)
const sampler_t first = CLK_NORMALIZED_COORDS_TRUE | NEAREST;
enum { MODE = NEAREST };

float4 through(image2d_t image, sampler_t sampler, float2 at)
{
    const sampler_t same = sampler;
    return read_imagef(image, same, at);
}

kernel void k(read_only image2d_t image, global float4 *out)
{
    const sampler_t second = MODE;
    sampler_t third = first;
    float2 at = out[0].xy;
    out[1] = read_imagef(image, first, at);
    out[2] = through(image, second, at);
    out[3] = through(image, third, at);
    out[4] = read_imagef(image, CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST | 1, at);
}
// SPDX-License-Identifier: Apache-2.0
