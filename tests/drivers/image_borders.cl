// instructions: by_border 1.0 by_edge
// The device returns the border color.
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void by_border(read_only image2d_t image, global float4 *p)
{
    const int i = get_global_id(0);
    p[i] = read_imagef(image, border, (int2)(i - 1, i)) + read_imagef(image, border, (int2)(i, i + 1));
}

kernel void by_edge(read_only image2d_t image, global float4 *p)
{
    const int i = get_global_id(0);
    p[i] = read_imagef(image, edge, (int2)(i - 1, i)) + read_imagef(image, edge, (int2)(i, i + 1));
}
// SPDX-License-Identifier: Apache-2.0
