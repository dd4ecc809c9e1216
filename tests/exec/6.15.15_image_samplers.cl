// SPDX-License-Identifier: Apache-2.0
// Samplers passed to functions, and selected at run time by an argument; filtering of a volume. Devices may filter
// 8-bit texels with 8-bit weights.
// needs: images
// run: k global 1
// arg: image 2d rgba unorm8 2 1 = 0 51 102 255  255 255 255 255
// arg: image 3d r float 2 2 2 = 1..8
// arg: sampler normalized edge linear
// arg: sampler texels edge nearest
// arg: out float 16
// expect: arg4 float ulp 400 0.5 0.6 0.7 1  0 0.2 0.4 1  4.5 3.25 1 8  0.5 0.6 0.7 1
float4 through(image2d_t image, sampler_t s, float2 at)
{
    const sampler_t same = s;
    return read_imagef(image, same, at);
}

kernel void k(image2d_t a, image3d_t b, sampler_t linear, sampler_t nearest, global float *out)
{
    const sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    vstore4(through(a, linear, 0.5f), 0, out);
    vstore4(through(a, nearest, 0.5f), 1, out);
    out[8] = read_imagef(b, linear, (float4)(0.5f)).x;
    out[9] = read_imagef(b, linear, (float4)(0.375f, 0.5f, 0.375f, 0)).x;
    out[10] = read_imagef(b, nearest, (float4)(-5)).x;
    out[11] = read_imagef(b, nearest, (int4)(5)).x;
    vstore4(through(a, own, 0.5f), 3, out);
}
