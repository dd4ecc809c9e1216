// SPDX-License-Identifier: Apache-2.0
// Block writes to images by the first sub-group only. The first 16 bytes of the rows do not depend on the sub-group's
// size; the rest is discarded.
// source: clang declares them only in a header
// needs: cl_intel_subgroups
// needs: cl_intel_subgroups_char
// needs: cl_intel_subgroups_short
// needs: cl_intel_subgroups_long
// needs: __opencl_c_read_write_images
// options: -cl-std=CL3.0
// run: words global 64 local 64
// arg: image 2d r unorm8 20 3 = 5*60
// expect: arg0 uchar 5*20 5 5 5 5 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 5 5 5 5 64..79
// run: words global 64 local 64
// arg: image 2d bgra unorm8 5 3 = 5*60
// expect: arg0 uchar 5*20 5 5 5 5 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 5 5 5 5 64..79
// run: words global 64 local 64
// arg: image 2d rg int8 10 3 = 5*60
// expect: arg0 uchar 5*20 5 5 5 5 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 5 5 5 5 64..79
// run: words global 64 local 64
// arg: image 2d r uint16 10 3 = 0x505*30
// expect: arg0 uchar 5*20 5 5 5 5 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 5 5 5 5 64..79
// run: words global 64 local 64
// arg: image 2d r float 5 3 = 1*15
// expect: arg0 uchar 0 0 128 63 0 0 128 63 0 0 128 63 0 0 128 63 0 0 128 63 0 0 128 63 0..15 0 0 128 63 64..79
// run: longs global 64 local 64
// arg: image 2d rgba uint8 4 2 = 5*32
// expect: arg0 uchar 0..15 128..143
// run: bytes global 64 local 64
// arg: image 2d rgba uint8 1 2 = 5*8
// expect: arg0 uchar 0 1 2 3 100 101 102 103
// run: shorts global 64 local 64
// arg: image 2d rg unorm16 2 1 = 5*4
// expect: arg0 ushort 1000 1001 1002 1003
// run: both global 64 local 64
// arg: image 2d rgba unorm8 4 1 = 1..16
// expect: arg0 uchar 2 2 3 4 6 6 7 8 10 10 11 12 14 14 15 16
#define FIRST if (get_sub_group_id() == 0)
#define LANE get_sub_group_local_id()
// Rows before the first and after the last one are discarded.
kernel void words(write_only image2d_t image)
{
    uint x = LANE * 0x04040404 + 0x03020100;
    FIRST intel_sub_group_block_write2(image, (int2)(4, 1), (uint2)(x, x + 0x40404040));
    FIRST intel_sub_group_block_write(image, (int2)(4, -1), x);
    FIRST intel_sub_group_block_write(image, (int2)(4, 3), x);
    FIRST intel_sub_group_block_write(image, (int2)(-1024, 0), x);
}
kernel void longs(write_only image2d_t image)
{
    ulong x = LANE * 0x0808080808080808 + 0x0706050403020100;
    FIRST intel_sub_group_block_write_ul2(image, (int2)(0, 0), (ulong2)(x, x + 0x8080808080808080));
}
kernel void bytes(write_only image2d_t image)
{
    FIRST intel_sub_group_block_write_uc2(image, (int2)(0, 0), (uchar2)((uchar)LANE, (uchar)(LANE + 100)));
}
kernel void shorts(write_only image2d_t image)
{
    FIRST intel_sub_group_block_write_us(image, (int2)(0, 0), (ushort)(1000 + LANE));
}
kernel void both(read_write image2d_t image)
{
    FIRST intel_sub_group_block_write(image, (int2)(0, 0), intel_sub_group_block_read(image, (int2)(0, 0)) + 1);
}
