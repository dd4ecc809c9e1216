kernel void k(read_only image2d_t a, write_only image2d_t b, image3d_t c, image1d_t d, image1d_buffer_t e, sampler_t s)
{
    float4 f = read_imagef(a, s, (int2)(1, 2)) + read_imagef(a, s, (float2)(1, 2)) + read_imagef(a, (int2)(1));
    int4 i = read_imagei(c, s, (int4)(1)) + read_imagei(d, s, 1.0f) + read_imagei(e, 7);
    uint4 u = read_imageui(d, s, 1);
    write_imagef(b, (int2)(0), f);
    write_imagei(b, (int2)(0), i);
    write_imageui(b, (int2)(0), u);
    int2 size = get_image_dim(a) + get_image_dim(b);
    int4 dim = get_image_dim(c);
    f = read_imagef(a, CLK_FILTER_NEAREST | CLK_ADDRESS_NONE, (int2)(0));
}
// SPDX-License-Identifier: Apache-2.0
