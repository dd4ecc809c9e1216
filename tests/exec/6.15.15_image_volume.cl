// SPDX-License-Identifier: Apache-2.0
// Linear filtering of an image array's line, of a layer and of a volume; layers are not mixed.
// needs: images
// run: k global 1
// arg: image 1d r float 4 = 1 2 3 4
// arg: image 1d_array r float 2 2 = 1 2 5 6
// arg: image 2d_array r float 2 2 2 = 1..8
// arg: image 3d r float 2 2 2 = 1..8
// arg: out float 8
// expect: arg4 float ulp 4 2.5 3.25 1.5 5.5 2.5 6.5 4.5 3.25
kernel void k(image1d_t a, image1d_array_t b, image2d_array_t c, image3d_t d, global float *out)
{
    const sampler_t edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    const sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    out[0] = read_imagef(a, edge, 0.5f).x;
    out[1] = read_imagef(a, texels, 2.75f).x;
    out[2] = read_imagef(b, edge, (float2)(0.5f, 0.4f)).x;
    out[3] = read_imagef(b, edge, (float2)(0.5f, 0.6f)).x;
    out[4] = read_imagef(c, edge, (float4)(0.5f, 0.5f, 0.4f, 0)).x;
    out[5] = read_imagef(c, edge, (float4)(0.5f, 0.5f, 0.6f, 0)).x;
    out[6] = read_imagef(d, edge, (float4)(0.5f)).x;
    out[7] = read_imagef(d, texels, (float4)(0.75f, 1, 0.75f, 0)).x;
}
