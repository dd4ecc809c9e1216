// SPDX-License-Identifier: Apache-2.0
// The border colour: opaque if the channel order has no alpha, also for integers; and the values of missing channels.
// needs: images
// run: outside global 1
// arg: image 2d r float 1 1 = 5
// arg: image 2d rgba unorm8 1 1 = 255 0 255 51
// arg: image 2d rg float 1 1 = 6 7
// arg: image 2d r int32 1 1 = 8
// arg: image 2d rgba uint32 1 1 = 1 2 3 4
// arg: out float 24
// arg: out int 16
// expect: arg5 float ulp 2 0 0 0 1  0 0 0 0  0 0 0 1  5 0 0 1  1 0 1 0.2  6 7 0 1
// expect: arg6 int 0 0 0 1  0 0 0 0  8 0 0 1  1 2 3 4
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void outside(image2d_t r, image2d_t rgba, image2d_t rg, image2d_t ri, image2d_t rgbau, global float4 *out, global int4 *ints)
{
    out[0] = read_imagef(r, border, (int2)(-1, 0));
    out[1] = read_imagef(rgba, border, (float2)(0.5f, 1.5f));
    out[2] = read_imagef(rg, border, (int2)(1, 0));
    out[3] = read_imagef(r, border, (int2)(0));
    out[4] = read_imagef(rgba, border, (int2)(0));
    out[5] = read_imagef(rg, border, (int2)(0));
    ints[0] = read_imagei(ri, border, (int2)(0, 5));
    ints[1] = as_int4(read_imageui(rgbau, border, (int2)(-7, 0)));
    ints[2] = read_imagei(ri, border, (int2)(0));
    ints[3] = as_int4(read_imageui(rgbau, border, (int2)(0)));
}
