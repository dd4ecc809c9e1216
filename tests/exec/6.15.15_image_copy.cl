// SPDX-License-Identifier: Apache-2.0
// needs: images
// run: copy global 3 2
// arg: image 2d rgba uint8 3 2 = 1..24
// arg: image 2d rgba uint8 3 2
// expect: arg1 uchar 1..24
// run: scale global 3 2
// arg: image 2d rgba float 3 2 = 1..24
// arg: image 2d rgba float 3 2
// expect: arg1 float 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48
// run: signed_copy global 3 1
// arg: image 2d rgba int16 3 1 = -3..8
// arg: image 2d rgba int16 3 1
// expect: arg1 short -3..8
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(to, at, read_imageui(from, plain, at));
}

kernel void scale(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, 2 * read_imagef(from, plain, at));
}

kernel void signed_copy(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagei(to, at, read_imagei(from, at));
}
