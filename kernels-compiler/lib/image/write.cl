// SPDX-License-Identifier: Apache-2.0
// write_image* and the size queries that return vectors.
//
// OpenCL C "Conversion rules": integers outside the channel's range are clamped; for Vulkan the result would be
// undefined. Vulkan clamps and rounds floats as required. If the launch does not provide the channel type
// (kc_target.mapping), Vulkan's behavior applies. CL_sRGBA and CL_sBGRA images are stored to as CL_RGBA and CL_BGRA:
// colors are encoded here.
#include "image.h"

// The value to store for a texel.
#define ENCODED(image, texel) (__image_srgb(image) && is_srgb(get_image_channel_order(image)) ? encoded(texel) : (texel))
#define SIGNED(image, x) (__image_mapped(image) ? x : saturated_int(x, get_image_channel_data_type(image)))
#define UNSIGNED(image, x) (__image_mapped(image) ? x : saturated_uint(x, get_image_channel_data_type(image)))

static bool is_srgb(int order)
{
    return order == CLK_sRGBA || order == CLK_sBGRA;
}

// For 8-bit channels the device's native exp2 and log2 are accurate enough. NaN is stored as 0, as devices do.
static float4 encoded(float4 texel)
{
    float4 linear = fmin(fmax(texel, 0.0f), 1.0f);
    float4 root = 1.055f * native_exp2(native_log2(linear) * (1.0f / 2.4f)) - 0.055f;
    return (float4)((linear > 0.0031308f ? root : 12.92f * linear).xyz, texel.w);
}

static int4 saturated_int(int4 x, int type)
{
    int most = type == CLK_SIGNED_INT8 ? 127 : type == CLK_SIGNED_INT16 ? 32767 : INT_MAX;
    return min(max(x, -most - 1), most);
}

static uint4 saturated_uint(uint4 x, int type)
{
    return min(x, type == CLK_UNSIGNED_INT8 ? 255u : type == CLK_UNSIGNED_INT16 ? 65535u : UINT_MAX);
}

#define WRITE(T, image_type, I, name, suffix, MADE)                                                \
    LIB void name(write_only image_type image, I at, T texel)                                      \
    {                                                                                              \
        __image_write##suffix(image, PLACE_##I(at), MADE(image, texel));                           \
    }

#define DEPTH(image, texel) ((float4)(texel, 0, 0, 1))
#define HALVES(image, texel) ENCODED(image, convert_float4(texel))
#ifdef cl_khr_fp16
#define WRITE_HALF(image_type, I)                                                                  \
    WRITE(half4, image_type, I, write_imageh, f, HALVES)
#else
#define WRITE_HALF(image_type, I)
#endif

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE(float4, image_type, I, write_imagef, f, ENCODED)                                           \
    WRITE_HALF(image_type, I)                                                                      \
    WRITE(int4, image_type, I, write_imagei, i, SIGNED)                                               \
    WRITE(uint4, image_type, I, write_imageui, ui, UNSIGNED)
COLOR_IMAGES
#undef IMAGE

// ---- mip levels ----------------------------------------------------------------------------------

#define WRITE_LEVEL(T, image_type, I, name, suffix, MADE)                                          \
    LIB void name(write_only image_type image, I at, int level, T texel)                           \
    {                                                                                              \
        __image_store##suffix(image, PLACE_##I(at), MADE(image, texel), level);                    \
    }

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE_LEVEL(float4, image_type, I, write_imagef, f, ENCODED)                                   \
    WRITE_LEVEL(int4, image_type, I, write_imagei, i, SIGNED)                                      \
    WRITE_LEVEL(uint4, image_type, I, write_imageui, ui, UNSIGNED)
COLOR_IMAGES
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE_LEVEL(float, image_type, I, write_imagef, f, DEPTH)
DEPTH_IMAGES
#undef IMAGE

// ---- buffers -------------------------------------------------------------------------------------

// Rounds to nearest even, as devices do; NaN gives 0.
static uint4 fractions(float4 x)
{
    return convert_uint4(rint(fmin(fmax(x, 0.0f), 1.0f) * 65535.0f));
}

static LIB void write_to_buffer(write_only image1d_buffer_t image, int at, float4 texel)
{
    if (BY_UINT(image))
        __image_writeui(image, PLACE_int(at), fractions(texel));
    else
        __image_writef(image, PLACE_int(at), texel);
}

LIB void write_imagef(write_only image1d_buffer_t image, int at, float4 texel) { write_to_buffer(image, at, texel); }
#ifdef cl_khr_fp16
LIB void write_imageh(write_only image1d_buffer_t image, int at, half4 texel)
{
    write_to_buffer(image, at, convert_float4(texel));
}
#endif
WRITE(int4, image1d_buffer_t, int, write_imagei, i, SIGNED)
WRITE(uint4, image1d_buffer_t, int, write_imageui, ui, UNSIGNED)

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE(float, image_type, I, write_imagef, f, DEPTH)
DEPTH_IMAGES
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    LIB int##dims##_size get_image_dim(image_type image) { return SIZE_##dims; }
#define int2_size int2
#define int3_size int4
#define SIZE_2 (int2)(get_image_width(image), get_image_height(image))
#define SIZE_3 (int4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0)
DEPTH_IMAGES
IMAGE(image2d_t, 2, 0, int2, float2)
IMAGE(image2d_array_t, 2, 1, int4, float4)
IMAGE(image3d_t, 3, 0, int4, float4)
