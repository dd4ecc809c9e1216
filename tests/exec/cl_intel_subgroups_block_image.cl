// SPDX-License-Identifier: Apache-2.0
// Block reads of images: from a byte offset on, a row for each element, for every texel size. One sub-group reads at a time; the
// image's contents are computed from the texels.
// source: clang declares them only in a header
// needs: cl_intel_subgroups
// needs: cl_intel_subgroups_char
// needs: cl_intel_subgroups_long
// needs: __opencl_c_read_write_images
// options: -cl-std=CL3.0
// run: reads global 64 local 64
// arg: image 2d r unorm8 1024 2 = 0..255 7*256 0..255 9*256 3*256 0..255 7*256 0..255
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d rg snorm8 512 2 = -128..127 7*256 -128..127 9*256 3*256 -128..127 7*256 -128..127
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d rgba uint8 256 2 = 0..255 7*256 0..255 9*256 3*256 0..255 7*256 0..255
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d bgra unorm8 256 2 = 0..255 7*256 0..255 9*256 3*256 0..255 7*256 0..255
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d r unorm16 512 2 = 0..1022 65535
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d rg int16 256 2 = -512..511
// arg: out uint 64
// expect: arg1 uint 0*64
// run: reads global 64 local 64
// arg: image 2d r float 256 2 = 1..512
// arg: out uint 64
// expect: arg1 uint 0*64
// run: edges global 64 local 64
// arg: image 2d rgba unorm8 2 2 = 1..16
// arg: out uint 64
// expect: arg1 uint 0*64
static uint byte_at(read_only image2d_t image, int x, int y)
{
    int type = get_image_channel_data_type(image), order = get_image_channel_order(image);
    uint bytes = type == CLK_FLOAT ? 4 : type == CLK_UNORM_INT16 || type == CLK_SIGNED_INT16 ? 2 : 1;
    uint channels = order == CLK_R ? 1 : order == CLK_RG ? 2 : 4;
    int2 at = (int2)(x / (int)(bytes * channels), y);
    uint4 t = type == CLK_FLOAT          ? as_uint4(read_imagef(image, at))
              : type == CLK_UNORM_INT8   ? convert_uint4_rte(read_imagef(image, at) * 255)
              : type == CLK_UNORM_INT16  ? convert_uint4_rte(read_imagef(image, at) * 65535)
              : type == CLK_SIGNED_INT16 ? as_uint4(read_imagei(image, at))
                                         : read_imageui(image, at);
    t = order == CLK_BGRA ? t.zyxw : t;
    uint c = x / bytes % channels, word = c == 0 ? t.x : c == 1 ? t.y : c == 2 ? t.z : t.w;
    return word >> x % bytes * 8 & 255;
}
static ulong bytes_at(read_only image2d_t image, int x, int y, int count)
{
    ulong all = 0;
    for (int i = 0; i < count; i++)
        all |= (ulong)byte_at(image, x + i, y) << 8 * i;
    return all;
}
kernel void reads(read_only image2d_t image, global uint *out)
{
    int lane = get_sub_group_local_id();
    uint bad = 0;
    for (int x = 4; x < 8; x++) {
        uint2 words = intel_sub_group_block_read2(image, (int2)(x, 0));
        bad |= (words.x != bytes_at(image, x + 4 * lane, 0, 4) || words.y != bytes_at(image, x + 4 * lane, 1, 4)) << 0;
        ulong2 longs = intel_sub_group_block_read_ul2(image, (int2)(x, 0));
        bad |= (longs.x != bytes_at(image, x + 8 * lane, 0, 8) || longs.y != bytes_at(image, x + 8 * lane, 1, 8)) << 1;
        bad |= (intel_sub_group_block_read_us(image, (int2)(x, 1)) != bytes_at(image, x + 2 * lane, 1, 2)) << 2;
        uchar2 bytes = intel_sub_group_block_read_uc2(image, (int2)(x, 0));
        bad |= (bytes.x != byte_at(image, x + lane, 0) || bytes.y != byte_at(image, x + lane, 1)) << 3;
    }
    out[get_local_id(0)] = bad;
}
// Rows of eight bytes; reads beyond them give the nearest word.
kernel void edges(read_only image2d_t image, global uint *out)
{
    int lane = get_sub_group_local_id();
    uint4 words = intel_sub_group_block_read4(image, (int2)(-4, -1));
    uint low = lane > 1 ? 0x08070605 : 0x04030201, high = low + 0x08080808;
    out[get_local_id(0)] = any(words != (uint4)(low, low, high, high));
}
