// SPDX-License-Identifier: Apache-2.0
// Access to an image's rows as 32-bit words, on which the sub-group block reads and writes of images are built
// (cl_intel_subgroups).
//
// Texels have 1, 2 or 4 bytes; others are undefined. Out of bounds, reads give the nearest word of the row and writes
// are ignored.
#include "image.h"

// Bits per channel, and channels per texel; three of them are packed.
static uint channel_bits(int type)
{
    bool byte = type == CLK_SNORM_INT8 || type == CLK_UNORM_INT8 || type == CLK_SIGNED_INT8 || type == CLK_UNSIGNED_INT8;
    bool word = type == CLK_SIGNED_INT32 || type == CLK_UNSIGNED_INT32 || type == CLK_FLOAT;
    return byte ? 8 : word ? 32 : 16;
}

static uint channels(int order)
{
    bool one = order == CLK_R || order == CLK_A || order == CLK_INTENSITY || order == CLK_LUMINANCE;
    return one ? 1 : order == CLK_RG || order == CLK_RA ? 2 : 4;
}

static uint texel_bytes(int order, int type)
{
    if (order == CLK_RGB)
        return type == CLK_UNORM_INT_101010 ? 4 : 2;
    return min(channel_bits(type) / 8 * channels(order), 4u);
}

// RGBA -> the order in memory. For CL_BGRA the swap is its own inverse.
static uint4 to_memory_order(uint4 texel, int order)
{
    if (order == CLK_BGRA || order == CLK_sBGRA)
        return texel.zyxw;
    if (order == CLK_ARGB || order == CLK_A)
        return texel.wxyz;
    if (order == CLK_ABGR)
        return texel.wzyx;
    return order == CLK_RA ? texel.xwyz : texel;
}

static uint packed(float4 texel, int type)
{
    bool wide = type == CLK_UNORM_INT_101010;
    uint green = wide ? 10 : type == CLK_UNORM_SHORT_565 ? 6 : 5, side = wide ? 10 : 5;
    float4 most = (float4)((1u << side) - 1, (1u << green) - 1, (1u << side) - 1, 0);
    uint4 part = convert_uint4(rint(texel * most));
    return part.x << (side + green) | part.y << side | part.z;
}

// 8-bit normalized channels can be read without an integer view of the image; sRGB cannot.
static bool can_read_floats(int order, int type)
{
    return type == CLK_UNORM_INT8 && order != CLK_sRGBA && order != CLK_sBGRA;
}

static uint texel_bits(image2d_t image, int x, int y)
{
    int order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    int4 at = (int4)(x, y, 0, 0);
    if (order == CLK_RGB)
        return packed(__image_readf(image, at), type);
    uint4 texel = to_memory_order(can_read_floats(order, type) ? convert_uint4(rint(__image_readf(image, at) * 255.0f))
                                                 : __image_readui(image, at), order);
    uint bits = channel_bits(type), count = channels(order);
    if (bits == 32 || count == 1)
        return texel.x;
    uint low = texel.x | texel.y << bits;
    return count == 2 ? low : low | texel.z << 16 | texel.w << 24;
}

static void put_texel(write_only image2d_t image, int x, int y, uint word, int order, int type)
{
    uint bits = channel_bits(type), mask = bits == 32 ? ~0u : (1u << bits) - 1;
    uint4 texel = (uint4)(word, word >> (bits & 31), word >> (bits * 2 & 31), word >> (bits * 3 & 31)) & mask;
    texel = to_memory_order(texel, order);
    if (can_read_floats(order, type))
        __image_writef(image, (int4)(x, y, 0, 0), convert_float4(texel) / 255.0f);
    else
        __image_writeui(image, (int4)(x, y, 0, 0), texel);
}

static int words_in(int width, int bytes)
{
    return (width * bytes + 3) / 4;
}

static uint aligned_word(image2d_t image, int x, int y)
{
    int bytes = (int)texel_bytes(get_image_channel_order(image), get_image_channel_data_type(image));
    int width = get_image_width(image), each = 4 / bytes, first = clamp(x, 0, words_in(width, bytes) - 1) * each;
    uint word = 0;
    for (int i = 0; i < each; i++)
        word |= texel_bits(image, min(first + i, width - 1), y) << (8 * bytes * i);
    return word;
}

// The four bytes that start at byte x of row y.
LIB uint sub_group_block_word(image2d_t image, int x, int y)
{
    int row = clamp(y, 0, get_image_height(image) - 1);
    uint low = aligned_word(image, x >> 2, row), shift = (uint)(x & 3) * 8;
    if (!shift)
        return low;
    return low >> shift | aligned_word(image, (x >> 2) + 1, row) << (32 - shift);
}

// x is a multiple of four.
LIB void sub_group_block_put(write_only image2d_t image, int x, int y, uint word)
{
    int order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    int bytes = (int)texel_bytes(order, type), width = get_image_width(image), each = 4 / bytes, at = x >> 2;
    if (at < 0 || at >= words_in(width, bytes) || y < 0 || y >= get_image_height(image))
        return;
    for (int i = 0; i < each && at * each + i < width; i++)
        put_texel(image, at * each + i, y, word >> (8 * bytes * i), order, type);
}
