// SPDX-License-Identifier: Apache-2.0
// read_image*: coordinate and sampler -> texel (OpenCL C, "Image Addressing and Filtering").
//
// Each dimension is computed separately. If the sampler is known at compile time, all of this folds to the fetches
// and the arithmetic that it needs. Texels are fetched inside the image only, except for CLK_ADDRESS_NONE, for which
// the program guarantees it, and for CLK_ADDRESS_CLAMP if the device returns the border color.
#include "image.h"

// The fields of a sampler.
enum { NORMALIZED = 1, ADDRESSING = 0xe, LINEAR = 0x20 };
#define MODE(sampler) (__sampler_bits(sampler) & ADDRESSING)
#define IS(part, sampler) (__sampler_bits(sampler) & part)

static float between(float x, float least, float most)
{
    return x > least ? x < most ? x : most : least; // NaN gives `least`
}

// ---- one dimension -------------------------------------------------------------------------------

// Converts to texels and reduces repeated coordinates to the image.
static float in_texels(float x, float size, sampler_t sampler)
{
    uint mode = MODE(sampler);
    if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
        return fabs(x - 2.0f * rint(0.5f * x)) * size;
    if (mode == CLK_ADDRESS_REPEAT)
        return (x - floor(x)) * size;
    return IS(NORMALIZED, sampler) ? x * size : x;
}

// Converts the index of a texel, possibly outside the image, to one inside, or for CLK_ADDRESS_CLAMP to one just
// outside.
static int number(float i, float size, sampler_t sampler)
{
    uint mode = MODE(sampler);
    if (mode == CLK_ADDRESS_NONE)
        return (int)i;
    if (mode == CLK_ADDRESS_CLAMP)
        return (int)between(i, -1.0f, size);
    if (mode == CLK_ADDRESS_REPEAT)
        i = i < 0.0f ? i + size : i > size - 1.0f ? i - size : i;
    return (int)between(i, 0.0f, size - 1.0f);
}

static int nearest(float x, int size, sampler_t sampler)
{
    return number(floor(in_texels(x, (float)size, sampler)), (float)size, sampler);
}

// The two texels around a coordinate, and the weight of the second one.
static int2 around(float x, int size, sampler_t sampler, private float *share)
{
    float u = in_texels(x, (float)size, sampler) - 0.5f, first = floor(u);
    *share = u - first;
    return (int2)(number(first, (float)size, sampler), number(first + 1.0f, (float)size, sampler));
}

static int given(int i, int size, sampler_t sampler)
{
    return MODE(sampler) == CLK_ADDRESS_CLAMP_TO_EDGE ? clamp(i, 0, size - 1) : i;
}

static int layer(float x, int layers)
{
    return (int)between(rint(x), 0.0f, (float)(layers - 1));
}

static int given_layer(int i, int layers)
{
    return clamp(i, 0, layers - 1);
}

static bool within(int i, int size)
{
    return (uint)i < (uint)size;
}

// Whether the border color is opaque: R, RG, RGB and LUMINANCE have no alpha.
static bool is_opaque(int order)
{
    uint bit = (uint)order - CLK_R;
    return bit < 32 && 1u << bit & (1u << (CLK_R - CLK_R) | 1u << (CLK_RG - CLK_R) |
                                    1u << (CLK_RGB - CLK_R) | 1u << (CLK_LUMINANCE - CLK_R));
}

// ---- places --------------------------------------------------------------------------------------

#define WIDTH get_image_width(image)
#define HEIGHT get_image_height(image)
#define DEPTH get_image_depth(image)
#define LAYERS (int)get_image_array_size(image)

#define EACH_1_0(f, g, at) ((int4)(f(at.x, WIDTH, sampler), 0, 0, 0))
#define EACH_1_1(f, g, at) ((int4)(f(at.x, WIDTH, sampler), g(at.y, LAYERS), 0, 0))
#define EACH_2_0(f, g, at) ((int4)(f(at.x, WIDTH, sampler), f(at.y, HEIGHT, sampler), 0, 0))
#define EACH_2_1(f, g, at)                                                                         \
    ((int4)(f(at.x, WIDTH, sampler), f(at.y, HEIGHT, sampler), g(at.z, LAYERS), 0))
#define EACH_3_0(f, g, at)                                                                         \
    ((int4)(f(at.x, WIDTH, sampler), f(at.y, HEIGHT, sampler), f(at.z, DEPTH, sampler), 0))

#define WITHIN_1(at) within(at.x, WIDTH)
#define WITHIN_2(at) __op_and(WITHIN_1(at), within(at.y, HEIGHT))
#define WITHIN_3(at) __op_and(WITHIN_2(at), within(at.z, DEPTH))

// ---- filters -------------------------------------------------------------------------------------

#define TEXEL(T, image_type, dims, suffix)                                                         \
    static LIB T texel_##suffix(image_type image, int4 at, sampler_t sampler)                      \
    {                                                                                              \
        bool inside = MODE(sampler) != CLK_ADDRESS_CLAMP || __image_borders(image) || (WITHIN_##dims(at)); \
        T border = (T)(0, 0, 0, is_opaque(get_image_channel_order(image)));                        \
        T texel = __image_read##suffix(image, inside ? at : (int4)0);                              \
        return inside ? texel : border;                                                            \
    }

#define AT(x, y, z) texel_f(image, (int4)(x, y, z, 0), sampler)

#define LINE(line, plane) ((1.0f - a) * AT(i.x, line, plane) + a * AT(i.y, line, plane))
#define SQUARE(plane) ((1.0f - b) * LINE(j.x, plane) + b * LINE(j.y, plane))

#define LINEAR_1_0 (LINE(0, 0))
#define LINEAR_1_1 (LINE(layer(at.y, LAYERS), 0))
#define LINEAR_2_0 (SQUARE(0))
#define LINEAR_2_1 (SQUARE(layer(at.z, LAYERS)))
#define LINEAR_3_0 ((1.0f - c) * SQUARE(k.x) + c * SQUARE(k.y))

#define FIND_1 int2 i = around(at.x, WIDTH, sampler, &a)
#define FIND_2 FIND_1, j = around(at.y, HEIGHT, sampler, &b)
#define FIND_3 FIND_2, k = around(at.z, DEPTH, sampler, &c)

#define FILTERED(image_type, dims, layered)                                                        \
    static LIB __attribute__((noinline)) float4 filtered(image_type image, float4 at, sampler_t sampler) \
    {                                                                                              \
        float a, b, c;                                                                             \
        FIND_##dims;                                                                               \
        return LINEAR_##dims##_##layered;                                                          \
    }

// The device's own filter. Its samplers use normalized coordinates and are indexed by these modes. Mirrored repeat is
// not used: NVIDIA's is less accurate than the other modes.
enum { EDGE_SAMPLER, BORDER_SAMPLER, REPEAT_SAMPLER };

#define NORMAL_1 (float4)(1.0f / (float)WIDTH, 1, 1, 1)
#define NORMAL_2 (float4)(1.0f / (float)WIDTH, 1.0f / (float)HEIGHT, 1, 1)
#define NORMAL_3 (float4)(1.0f / (float)WIDTH, 1.0f / (float)HEIGHT, 1.0f / (float)DEPTH, 1)

#define SAMPLED(image_type, dims)                                                                  \
    static LIB float4 sampled(image_type image, float4 at, sampler_t sampler)                      \
    {                                                                                              \
        uint mode = MODE(sampler);                                                                 \
        if (!IS(NORMALIZED, sampler))                                                              \
            at *= NORMAL_##dims;                                                                   \
        if (mode == CLK_ADDRESS_CLAMP)                                                             \
            return __image_samplef(image, BORDER_SAMPLER, at);                                     \
        if (mode == CLK_ADDRESS_REPEAT)                                                            \
            return __image_samplef(image, REPEAT_SAMPLER, at);                                     \
        return __image_samplef(image, EDGE_SAMPLER, at);                                           \
    }

// ---- the functions -------------------------------------------------------------------------------

#define NEAREST(at, dims, layered, suffix)                                                         \
    texel_##suffix(image, EACH_##dims##_##layered(nearest, layer, at), sampler)

#define GIVEN(at, dims, layered, suffix)                                                           \
    texel_##suffix(image, EACH_##dims##_##layered(given, given_layer, at), sampler)

// With a mapping, all samplers come from the launch, and the library cannot inspect them. Integer coordinates are
// converted to texel centers; layers are not.
#define MAPPED(suffix, at) __image_sample##suffix(image, __sampler_bits(sampler), at)
#define MIDDLE_1(at) (convert_float4(at) + (float4)(0.5f, 0, 0, 0))
#define MIDDLE_2(at) (convert_float4(at) + (float4)(0.5f, 0.5f, 0, 0))
#define MIDDLE_3(at) (convert_float4(at) + 0.5f)

// Common to the functions on floats and those on halfs.
#define READ_FLOAT(image_type, dims, layered)                                                      \
    TEXEL(float4, image_type, dims, f)                                                             \
    FILTERED(image_type, dims, layered)                                                            \
    SAMPLED(image_type, dims)                                                                      \
    static LIB float4 read_at(image_type image, sampler_t sampler, float4 at)                      \
    {                                                                                              \
        if (__image_mapped(image))                                                                 \
            return MAPPED(f, at);                                                                  \
        if (IS(LINEAR, sampler))                                                                   \
            return __image_filter(image) && MODE(sampler) != CLK_ADDRESS_MIRRORED_REPEAT           \
                       ? sampled(image, at, sampler)                                               \
                       : filtered(image, at, sampler);                                             \
        return NEAREST(at, dims, layered, f);                                                      \
    }                                                                                              \
    static LIB float4 read_at(image_type image, sampler_t sampler, int4 at)                        \
    {                                                                                              \
        return __image_mapped(image) ? MAPPED(f, MIDDLE_##dims(at)) : GIVEN(at, dims, layered, f); \
    }

#define READ_INTEGER(T, image_type, dims, layered, I, F, suffix)                                   \
    TEXEL(T, image_type, dims, suffix)                                                             \
    LIB T read_image##suffix(image_type image, sampler_t sampler, F x)                             \
    {                                                                                              \
        float4 at = PLACE_##F(x);                                                                  \
        return __image_mapped(image) ? MAPPED(suffix, at) : NEAREST(at, dims, layered, suffix);    \
    }                                                                                              \
    LIB T read_image##suffix(image_type image, sampler_t sampler, I x)                             \
    {                                                                                              \
        int4 at = PLACE_##I(x);                                                                    \
        return __image_mapped(image) ? MAPPED(suffix, MIDDLE_##dims(at))                           \
                                     : GIVEN(at, dims, layered, suffix);                           \
    }

// The three kinds of coordinates; MADE(x) converts the four floats to the result type.
#define READ(T, image_type, I, F, name, MADE)                                                      \
    LIB T name(image_type image, sampler_t s, F at)                                                \
    {                                                                                              \
        return MADE(read_at(image, s, PLACE_##F(at)));                                             \
    }                                                                                              \
    LIB T name(image_type image, sampler_t s, I at)                                                \
    {                                                                                              \
        return MADE(read_at(image, s, PLACE_##I(at)));                                             \
    }                                                                                              \
    READ_PLAINLY(T, image_type, I, name, f, MADE)

#define READ_PLAINLY(T, image_type, I, name, suffix, MADE)                                         \
    LIB T name(image_type image, I at) { return MADE(__image_read##suffix(image, PLACE_##I(at))); }

#define ALL(x) (x)
#define FIRST(texel) ((texel).x)
#ifdef cl_khr_fp16
#define READ_HALF(image_type, I, F) READ(half4, image_type, I, F, read_imageh, convert_half4)
#else
#define READ_HALF(image_type, I, F)
#endif

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    READ_FLOAT(image_type, dims, layered)                                                          \
    READ(float4, image_type, I, F, read_imagef, ALL)                                               \
    READ_HALF(image_type, I, F)                                                                    \
    READ_INTEGER(int4, image_type, dims, layered, I, F, i)                                         \
    READ_PLAINLY(int4, image_type, I, read_imagei, i, ALL)                                         \
    READ_INTEGER(uint4, image_type, dims, layered, I, F, ui)                                       \
    READ_PLAINLY(uint4, image_type, I, read_imageui, ui, ALL)
COLOR_IMAGES
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    READ_FLOAT(image_type, dims, layered)                                                          \
    READ(float, image_type, I, F, read_imagef, FIRST)
DEPTH_IMAGES
#undef IMAGE

// ---- mip levels ----------------------------------------------------------------------------------

// The sampler's fields for mip levels: the filter; the minimum LOD in 1/128; and 2047 minus the maximum LOD in 1/128.
enum { MIP_LINEAR = 0x40 };
#define LOD_MIN(bits) ((float)((bits) >> 8 & 2047u) / 128.0f)
#define LOD_MAX(bits) ((float)(2047u - ((bits) >> 19 & 2047u)) / 128.0f)

static int size_at(int size, int level) { return max(size >> level, 1); }

// From here on, sizes are those of `level`.
#undef WIDTH
#undef HEIGHT
#undef DEPTH
#undef AT
#define WIDTH size_at(get_image_width(image), level)
#define HEIGHT size_at(get_image_height(image), level)
#define DEPTH size_at(get_image_depth(image), level)
#define AT(x, y, z) level_texel_f(image, (int4)(x, y, z, 0), sampler, level)

static float clamped_lod(float lod, int levels, uint bits)
{
    float most = fmin(LOD_MAX(bits), (float)(levels - 1));
    return between(lod, fmin(LOD_MIN(bits), most), most);
}

// From the longer of two gradients, in texels.
static float lod_of(float4 x, float4 y)
{
    return 0.5f * log2(fmax(dot(x, x), dot(y, y)));
}

#define SPAN_1 (float4)(get_image_width(image), 0, 0, 0)
#define SPAN_2 (float4)(get_image_width(image), get_image_height(image), 0, 0)
#define SPAN_3 (float4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0)

#define LEVEL_TEXEL(T, image_type, dims, suffix)                                                   \
    static LIB T level_texel_##suffix(image_type image, int4 at, sampler_t sampler, int level)     \
    {                                                                                              \
        bool inside = MODE(sampler) != CLK_ADDRESS_CLAMP || __image_borders(image) || (WITHIN_##dims(at)); \
        T border = (T)(0, 0, 0, is_opaque(get_image_channel_order(image)));                        \
        T texel = __image_fetch##suffix(image, inside ? at : (int4)0, level);                      \
        return inside ? texel : border;                                                            \
    }

#define LEVEL_NEAREST(T, image_type, dims, layered, suffix)                                        \
    static LIB T level_##suffix(image_type image, sampler_t sampler, float4 at, float lod)         \
    {                                                                                              \
        float most = clamped_lod(lod, get_image_num_mip_levels(image), __sampler_bits(sampler));   \
        int level = (int)ceil(most - 0.5f);                                                        \
        return level_texel_##suffix(image, EACH_##dims##_##layered(nearest, layer, at), sampler, level); \
    }

#define LEVEL_FLOAT(image_type, dims, layered)                                                     \
    LEVEL_TEXEL(float4, image_type, dims, f)                                                       \
    static LIB __attribute__((noinline)) float4 level_read(image_type image, sampler_t sampler, float4 at, int level) \
    {                                                                                              \
        float a, b, c;                                                                             \
        if (!IS(LINEAR, sampler))                                                                  \
            return level_texel_f(image, EACH_##dims##_##layered(nearest, layer, at), sampler, level); \
        FIND_##dims;                                                                               \
        return LINEAR_##dims##_##layered;                                                          \
    }                                                                                              \
    static LIB float4 level_f(image_type image, sampler_t sampler, float4 at, float lod)           \
    {                                                                                              \
        int levels = get_image_num_mip_levels(image);                                              \
        float most = clamped_lod(lod, levels, __sampler_bits(sampler)), first = floor(most);       \
        if (!IS(MIP_LINEAR, sampler))                                                              \
            return level_read(image, sampler, at, (int)ceil(most - 0.5f));                         \
        float4 low = level_read(image, sampler, at, (int)first);                                   \
        float4 high = level_read(image, sampler, at, min((int)first + 1, levels - 1));             \
        return low + (most - first) * (high - low);                                                \
    }

// Variants with a level of detail, and with gradients (of type G).
#define LEVELS(T, image_type, dims, F, G, name, suffix, MADE)                                      \
    LIB T name(image_type image, sampler_t s, F at, float lod)                                     \
    {                                                                                              \
        return MADE(level_##suffix(image, s, PLACE_##F(at), lod));                                 \
    }                                                                                              \
    LIB T name(image_type image, sampler_t s, F at, G x, G y)                                      \
    {                                                                                              \
        float lod = lod_of(PLACE_##G(x) * SPAN_##dims, PLACE_##G(y) * SPAN_##dims);                \
        return MADE(level_##suffix(image, s, PLACE_##F(at), lod));                                 \
    }

#define GRADIENT_1 float
#define GRADIENT_2 float2
#define GRADIENT_3 float4
#define LEVELS_OF(T, image_type, dims, F, G, name, suffix, MADE) LEVELS(T, image_type, dims, F, G, name, suffix, MADE)

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    LEVEL_FLOAT(image_type, dims, layered)                                                         \
    LEVEL_TEXEL(int4, image_type, dims, i)                                                         \
    LEVEL_NEAREST(int4, image_type, dims, layered, i)                                              \
    LEVEL_TEXEL(uint4, image_type, dims, ui)                                                       \
    LEVEL_NEAREST(uint4, image_type, dims, layered, ui)                                            \
    LEVELS_OF(float4, image_type, dims, F, GRADIENT_##dims, read_imagef, f, ALL)                   \
    LEVELS_OF(int4, image_type, dims, F, GRADIENT_##dims, read_imagei, i, ALL)                     \
    LEVELS_OF(uint4, image_type, dims, F, GRADIENT_##dims, read_imageui, ui, ALL)
COLOR_IMAGES
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    LEVEL_FLOAT(image_type, dims, layered)                                                         \
    LEVELS_OF(float, image_type, dims, F, GRADIENT_##dims, read_imagef, f, FIRST)
DEPTH_IMAGES
#undef IMAGE

// ---- buffers -------------------------------------------------------------------------------------

// 1 / 65535 is 2^-16 + 2^-32 with an error of 2^-48. A missing channel reads as integer 1, not 65535.
static LIB float4 texel_of_buffer(image1d_buffer_t image, int at)
{
    if (!BY_UINT(image))
        return __image_readf(image, PLACE_int(at));
    float4 texel = convert_float4(__image_readui(image, PLACE_int(at))) * 0x1.0001p-16f;
    return is_opaque(get_image_channel_order(image)) ? (float4)(texel.xyz, 1) : texel;
}

LIB float4 read_imagef(image1d_buffer_t image, int at) { return texel_of_buffer(image, at); }
#ifdef cl_khr_fp16
LIB half4 read_imageh(image1d_buffer_t image, int at) { return convert_half4(texel_of_buffer(image, at)); }
#endif
READ_PLAINLY(int4, image1d_buffer_t, int, read_imagei, i, ALL)
READ_PLAINLY(uint4, image1d_buffer_t, int, read_imageui, ui, ALL)
