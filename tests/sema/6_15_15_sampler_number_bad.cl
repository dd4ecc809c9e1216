enum address { REPEAT = CLK_ADDRESS_REPEAT };
constant sampler_t fine = CLK_ADDRESS_CLAMP, also = 1u, named = REPEAT;
constant sampler_t a = 1L, b = 0x10000000000, c = (char)1, d = (short)1, e = (bool)1, f = 1.0f;
void g(sampler_t s);
kernel void k(read_only image2d_t i, global float4 *o)
{
    const sampler_t s = 1UL;
    const sampler_t t = CLK_FILTER_NEAREST;
    local sampler_t l;
    local sampler_t m = 1;
    global sampler_t n = 1;
    g(1L);
    o[0] = read_imagef(i, t, (float2)(0));
}
// SPDX-License-Identifier: Apache-2.0
