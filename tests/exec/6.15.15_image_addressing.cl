// SPDX-License-Identifier: Apache-2.0
// OpenCL API, "Addressing and filtering", on a line of four texels; the same samplers as literals and as arguments.
// needs: images
// run: clamps global 8
// arg: image 2d r float 4 1 = 1 2 3 4
// arg: sampler texels edge nearest
// arg: sampler texels clamp nearest
// arg: out float 32
// expect: arg3 float 1 1 1 2 3 4 4 4  0 0 1 2 3 4 0 0  1 1 1 2 3 4 4 4  0 0 1 2 3 4 0 0
// run: repeats global 8
// arg: image 2d r float 4 1 = 1 2 3 4
// arg: sampler normalized repeat nearest
// arg: sampler normalized mirror nearest
// arg: out float 32
// expect: arg3 float 3 4 1 2 3 4 1 2  2 1 1 2 3 4 4 3  3 4 1 2 3 4 1 2  2 1 1 2 3 4 4 3
// run: linear global 8
// arg: image 2d r float 4 1 = 1 2 3 4
// arg: sampler texels edge linear
// arg: sampler texels clamp linear
// arg: out float 16
// expect: arg3 float ulp 2 1 1 1.25 2.25 3.25 4 4 4  0 0.25 1.25 2.25 3.25 3 0 0
// run: linear_repeats global 8
// arg: image 2d r float 4 1 = 1 2 3 4
// arg: sampler normalized repeat linear
// arg: sampler normalized mirror linear
// arg: out float 16
// expect: arg3 float ulp 2 3.25 3.25 1.25 2.25 3.25 3.25 1.25 2.25  1.75 1 1.25 2.25 3.25 4 3.75 2.75
constant sampler_t to_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t to_border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;

kernel void clamps(image2d_t image, sampler_t edge, sampler_t border, global float *out)
{
    int i = get_global_id(0);
    float2 at = (float2)(i - 2 + 0.25f, 0.5f);
    out[i] = read_imagef(image, edge, at).x;
    out[i + 8] = read_imagef(image, border, at).x;
    out[i + 16] = read_imagef(image, to_edge, (int2)(i - 2, 0)).x;
    out[i + 24] = read_imagef(image, to_border, (int2)(i - 2, 0)).x;
}

kernel void repeats(image2d_t image, sampler_t r, sampler_t m, global float *out)
{
    int i = get_global_id(0);
    float2 at = (float2)((i - 2 + 0.25f) / 4, 0.5f);
    out[i] = read_imagef(image, r, at).x;
    out[i + 8] = read_imagef(image, m, at).x;
    out[i + 16] = read_imagef(image, repeat, at).x;
    out[i + 24] = read_imagef(image, mirror, at).x;
}

kernel void linear(image2d_t image, sampler_t edge, sampler_t border, global float *out)
{
    int i = get_global_id(0);
    float2 at = (float2)(i - 2 + 0.75f, 0.5f);
    out[i] = read_imagef(image, edge, at).x;
    out[i + 8] = read_imagef(image, border, at).x;
}

kernel void linear_repeats(image2d_t image, sampler_t repeats, sampler_t mirrors, global float *out)
{
    int i = get_global_id(0);
    float2 at = (float2)((i - 2 + 0.75f) / 4, 0.5f);
    out[i] = read_imagef(image, repeats, at).x;
    out[i + 8] = read_imagef(image, mirrors, at).x;
}
