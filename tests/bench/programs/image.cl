// SPDX-License-Identifier: Apache-2.0
// Sums of 16 texels, 4 x 4, of an n x n image of floats, edges clamped.
constant sampler_t edges = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image(read_only image2d_t a, global const float *b, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0.0f;
    for (int dy = 0; dy < 4; dy++)
        for (int dx = 0; dx < 4; dx++)
            sum += read_imagef(a, edges, (int2)(x + dx, y + dy));
    out[y * n + x] = sum.x + sum.y + sum.z + sum.w;
}
