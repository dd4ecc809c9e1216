// SPDX-License-Identifier: Apache-2.0
// Values that channels cannot represent: integers saturate, floats are clamped and rounded.
// needs: images
// run: signed_texels global 1
// arg: image 2d rgba int8 2 1
// arg: image 2d rgba int16 2 1
// arg: image 2d rgba int32 2 1
// expect: arg0 char 127 -128 5 -5  127 -128 127 -128
// expect: arg1 short 200 -200 5 -5  32767 -32768 32767 -32768
// expect: arg2 int 200 -200 5 -5  70000 -70000 0x7fffffff -0x80000000
// run: unsigned_texels global 1
// arg: image 2d rgba uint8 1 1
// arg: image 2d rgba uint16 1 1
// arg: image 2d rgba uint32 1 1
// expect: arg0 uchar 200 255 255 255
// expect: arg1 ushort 200 300 65535 65535
// expect: arg2 uint 200 300 70000 0xffffffff
// run: floats global 1
// arg: image 2d rgba unorm8 1 1
// arg: image 2d rgba snorm16 1 1
// expect: arg0 uchar 255 0 128 127
// expect: arg1 short 32767 * 16385 16382
kernel void signed_texels(write_only image2d_t c, write_only image2d_t s, write_only image2d_t i)
{
    int4 a = (int4)(200, -200, 5, -5), b = (int4)(70000, -70000, INT_MAX, INT_MIN);
    write_imagei(c, (int2)(0), a), write_imagei(c, (int2)(1, 0), b);
    write_imagei(s, (int2)(0), a), write_imagei(s, (int2)(1, 0), b);
    write_imagei(i, (int2)(0), a), write_imagei(i, (int2)(1, 0), b);
}

kernel void unsigned_texels(write_only image2d_t c, write_only image2d_t s, write_only image2d_t i)
{
    uint4 a = (uint4)(200, 300, 70000, UINT_MAX);
    write_imageui(c, (int2)(0), a), write_imageui(s, (int2)(0), a), write_imageui(i, (int2)(0), a);
}

kernel void floats(write_only image2d_t u, write_only image2d_t s)
{
    float4 a = (float4)(1.5f, -1.5f, 127.6f / 255, 127.4f / 255);
    write_imagef(u, (int2)(0), a);
    write_imagef(s, (int2)(0), (float4)(1.5f, -1.5f, 16384.6f / 32767, 16382.4f / 32767));
}
