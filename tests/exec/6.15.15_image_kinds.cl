// SPDX-License-Identifier: Apache-2.0
// needs: images
// run: lines global 3
// arg: image 1d r float 3 = 1 2 3
// arg: image 1d_array r float 3 2 = 10 20 30 40 50 60
// arg: image buffer r float 3 = 100 200 300
// arg: image 1d r float 3
// arg: image 1d_array r float 3 2
// arg: image buffer r float 3
// expect: arg3 float 111 222 333
// expect: arg4 float 141 252 363 7*3
// expect: arg5 float 1 2 3
// run: volumes global 2 2 2
// arg: image 2d_array r uint32 2 2 2 = 1..8
// arg: image 3d r uint32 2 2 2 = 11..18
// arg: image 2d_array r uint32 2 2 2
// expect: arg2 uint 12 14 16 18 20 22 24 26
kernel void lines(image1d_t a, image1d_array_t b, image1d_buffer_t c, write_only image1d_t d, write_only image1d_array_t e,
                  write_only image1d_buffer_t f)
{
    int x = get_global_id(0);
    float4 sum = read_imagef(a, x) + read_imagef(b, (int2)(x, 0)) + read_imagef(c, x);
    float4 other = read_imagef(a, x) + read_imagef(b, CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP_TO_EDGE, (float2)(x, 0.9f)) +
                   read_imagef(c, x);
    write_imagef(d, x, sum);
    write_imagef(e, (int2)(x, 0), other);
    write_imagef(e, (int2)(x, 1), 7.0f);
    write_imagef(f, x, read_imagef(a, x));
}

kernel void volumes(image2d_array_t a, image3d_t b, write_only image2d_array_t c)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imageui(c, at, read_imageui(a, at) + read_imageui(b, at));
}
