// SPDX-License-Identifier: Apache-2.0
// The tables of image formats. See image_format.h.
//
// To add a channel order or type: add a row. VK_FORMAT_UNDEFINED in a column of struct image_type's
// formats means that there is no such format.
// VK_FORMAT_UNDEFINED says that there is no such format.
#include "object/image_format.h"

#include <math.h>
#include <string.h>

#include "object/device.h"
#include "util/half.h"

// ---- the tables ---------------------------------------------------------------------------------

enum column { ONE, TWO, THREE, FOUR, BGRA, SRGBA, SBGRA, PACKED_FOUR, COLUMNS };
enum encoding { UNORM, SNORM, SIGNED, UNSIGNED, HALF, FLOAT, PACKED };
enum { NORM_OR_FLOAT = 1, BYTES = 2, DEPTHS = 4 }; // restrictions of an order to certain types

struct image_type {
    cl_channel_type cl;
    enum encoding encoding;
    enum kc_texel kind;
    uint32_t bytes; // of a channel, or of a packed texel
    unsigned fits;  // the restrictions that it satisfies
    VkFormat formats[COLUMNS];
};

struct image_order {
    cl_channel_order cl;
    enum column column;
    bool storable;
    unsigned only;      // restrictions
    const char *memory; // channels in memory order
    const char *read;   // the source of r, g, b and a of a read: channels of the VkFormat, 0, 1
};

#define COLOURS(suffix)                                                                            \
    {                                                                                              \
        [ONE] = VK_FORMAT_R8_##suffix, [TWO] = VK_FORMAT_R8G8_##suffix,                            \
        [FOUR] = VK_FORMAT_R8G8B8A8_##suffix, [BGRA] = VK_FORMAT_B8G8R8A8_##suffix                 \
    }
#define WIDE(bits, suffix)                                                                         \
    {                                                                                              \
        [ONE] = VK_FORMAT_R##bits##_##suffix, [TWO] = VK_FORMAT_R##bits##G##bits##_##suffix,       \
        [FOUR] = VK_FORMAT_R##bits##G##bits##B##bits##A##bits##_##suffix                           \
    }

static const struct image_type types[] = {
    {CL_UNORM_INT8,
     UNORM,
     KC_TEXEL_FLOAT,
     1,
     NORM_OR_FLOAT | BYTES,
     {[ONE] = VK_FORMAT_R8_UNORM,
      [TWO] = VK_FORMAT_R8G8_UNORM,
      [FOUR] = VK_FORMAT_R8G8B8A8_UNORM,
      [BGRA] = VK_FORMAT_B8G8R8A8_UNORM,
      [SRGBA] = VK_FORMAT_R8G8B8A8_SRGB,
      [SBGRA] = VK_FORMAT_B8G8R8A8_SRGB}},
    {CL_UNORM_INT16, UNORM, KC_TEXEL_FLOAT, 2, NORM_OR_FLOAT | DEPTHS, WIDE(16, UNORM)},
    {CL_SNORM_INT8, SNORM, KC_TEXEL_FLOAT, 1, NORM_OR_FLOAT | BYTES, COLOURS(SNORM)},
    {CL_SNORM_INT16, SNORM, KC_TEXEL_FLOAT, 2, NORM_OR_FLOAT, WIDE(16, SNORM)},
    {CL_SIGNED_INT8, SIGNED, KC_TEXEL_INT, 1, BYTES, COLOURS(SINT)},
    {CL_SIGNED_INT16, SIGNED, KC_TEXEL_INT, 2, 0, WIDE(16, SINT)},
    {CL_SIGNED_INT32, SIGNED, KC_TEXEL_INT, 4, 0, WIDE(32, SINT)},
    {CL_UNSIGNED_INT8, UNSIGNED, KC_TEXEL_UINT, 1, BYTES, COLOURS(UINT)},
    {CL_UNSIGNED_INT16, UNSIGNED, KC_TEXEL_UINT, 2, 0, WIDE(16, UINT)},
    {CL_UNSIGNED_INT32, UNSIGNED, KC_TEXEL_UINT, 4, 0, WIDE(32, UINT)},
    {CL_HALF_FLOAT, HALF, KC_TEXEL_FLOAT, 2, NORM_OR_FLOAT, WIDE(16, SFLOAT)},
    {CL_FLOAT, FLOAT, KC_TEXEL_FLOAT, 4, NORM_OR_FLOAT | DEPTHS, WIDE(32, SFLOAT)},
    {CL_UNORM_SHORT_565, PACKED, KC_TEXEL_FLOAT, 2, 0, {[THREE] = VK_FORMAT_R5G6B5_UNORM_PACK16}},
    {CL_UNORM_SHORT_555, PACKED, KC_TEXEL_FLOAT, 2, 0, {[THREE] = VK_FORMAT_A1R5G5B5_UNORM_PACK16}},
    {CL_UNORM_INT_101010,
     PACKED,
     KC_TEXEL_FLOAT,
     4,
     0,
     {[THREE] = VK_FORMAT_A2R10G10B10_UNORM_PACK32}},
    {CL_UNORM_INT_2_101010_EXT,
     PACKED,
     KC_TEXEL_FLOAT,
     4,
     0,
     {[PACKED_FOUR] = VK_FORMAT_A2B10G10R10_UNORM_PACK32}},
};

static const struct image_order orders[] = {
    {CL_R, ONE, true, 0, "r", "rgba"},
    {CL_RG, TWO, true, 0, "rg", "rgba"},
    {CL_RGBA, FOUR, true, 0, "rgba", "rgba"},
    {CL_BGRA, BGRA, true, BYTES, "bgra", "rgba"},
    {CL_ARGB, FOUR, false, BYTES, "argb", "gbar"},
    {CL_ABGR, FOUR, false, BYTES, "abgr", "abgr"},
    {CL_ABGR, PACKED_FOUR, true, 0, "abgr", "rgba"},
    {CL_A, ONE, false, 0, "a", "000r"},
    {CL_RA, TWO, false, 0, "ra", "r00g"},
    {CL_INTENSITY, ONE, true, NORM_OR_FLOAT, "r", "rrrr"},
    {CL_LUMINANCE, ONE, true, NORM_OR_FLOAT, "r", "rrr1"},
    {CL_DEPTH, ONE, true, DEPTHS, "r", "rgba"},
    {CL_RGB, THREE, false, 0, "rgb", "rgb1"},
    {CL_sRGBA, SRGBA, true, 0, "rgba", "rgba"},
    {CL_sBGRA, SBGRA, true, 0, "bgra", "rgba"},
};

enum { TYPES = sizeof types / sizeof *types, ORDERS = sizeof orders / sizeof *orders };

// Formats of OpenCL that Pumice does not support: 24-bit texels, which no image may have; depth
// with stencil, which only other APIs create; orders with an x, whose alpha is 0 in the language
// specification and 1 in the conformance tests; and a type that Vulkan has only with the channels
// reversed.
static const cl_channel_order other_orders[] = {CL_Rx,   CL_RGx,           CL_RGBx,
                                                CL_sRGB, CL_DEPTH_STENCIL, CL_sRGBx};
static const cl_channel_type other_types[] = {CL_UNORM_INT24, CL_UNORM_INT_101010_2};

// ---- lookup -------------------------------------------------------------------------------------

static VkComponentSwizzle swizzle_of(char channel)
{
    static const char names[] = "01rgba"; // in the order of Vulkan's values from ZERO on
    return (VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_ZERO + (strchr(names, channel) - names));
}

static bool is_format(const struct image_order *order, const struct image_type *type)
{
    return type->formats[order->column] != VK_FORMAT_UNDEFINED &&
           (type->fits & order->only) == order->only;
}

static VkComponentMapping swizzle_to(const char *read)
{
    return (VkComponentMapping){swizzle_of(read[0]), swizzle_of(read[1]), swizzle_of(read[2]), swizzle_of(read[3])};
}

// Kernels do the sRGB encoding of stores; the bits are stored in the linear format.
static VkFormat stored_format(const struct image_type *type, enum column column)
{
    return type->formats[column == SRGBA ? FOUR : column == SBGRA ? BGRA : column];
}

static bool make_format(const struct image_order *order, const struct image_type *type,
                        struct image_format *format)
{
    if (!is_format(order, type))
        return false;
    *format = (struct image_format){
        .cl = {order->cl, type->cl},
        .vk = type->formats[order->column],
        .stored = stored_format(type, order->column),
        .swizzled = strcmp(order->read, "rgba") != 0,
        .storable = order->storable,
        .kind = type->kind,
        .texel =
            type->encoding == PACKED ? type->bytes : type->bytes * (uint32_t)strlen(order->memory),
        .order = order,
        .type = type,
    };
    if (format->swizzled)
        format->swizzle = swizzle_to(order->read);
    return true;
}

static bool among(cl_uint value, const cl_uint *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static const struct image_type *type_of(cl_channel_type cl)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].cl == cl)
            return &types[i];
    return NULL;
}

cl_int image_format_find(const cl_image_format *cl, struct image_format *format)
{
    const struct image_order *order = NULL;
    const struct image_type *type = type_of(cl->image_channel_data_type);
    for (size_t i = 0; i < ORDERS; i++) {
        if (orders[i].cl != cl->image_channel_order)
            continue;
        order = &orders[i];
        if (type && make_format(order, type, format))
            return CL_SUCCESS;
    }
    if (order && type)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    bool known = (order || among(cl->image_channel_order, other_orders,
                                 sizeof other_orders / sizeof *other_orders)) &&
                 (type || among(cl->image_channel_data_type, other_types,
                                sizeof other_types / sizeof *other_types));
    return known ? CL_IMAGE_FORMAT_NOT_SUPPORTED : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

bool image_format_at(size_t index, struct image_format *format)
{
    for (size_t o = 0; o < ORDERS; o++)
        for (size_t t = 0; t < TYPES; t++)
            if (is_format(&orders[o], &types[t]) && index-- == 0)
                return make_format(&orders[o], &types[t], format);
    return false;
}

// ---- capabilities of a device -------------------------------------------------------------------

enum vk_image_dim image_dim(cl_mem_object_type type)
{
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
        return VK_IMAGE_DIM_1D;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return VK_IMAGE_DIM_1D_ARRAY;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        return VK_IMAGE_DIM_2D_ARRAY;
    case CL_MEM_OBJECT_IMAGE3D:
        return VK_IMAGE_DIM_3D;
    default:
        return VK_IMAGE_DIM_2D;
    }
}

struct image_format image_format_on(const struct image_format *format, const struct device_caps *caps,
                                    cl_mem_object_type type)
{
    struct image_format on = *format;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER && format->type->cl == CL_UNORM_INT16 &&
        caps->target.image_unorm16_by_uint) {
        const struct image_type *integers = type_of(CL_UNSIGNED_INT16);
        on.vk = on.stored = integers->formats[format->order->column];
        on.kind = integers->kind;
    }
    enum column column = format->order->column;
    if ((column != BGRA && column != SBGRA) || !caps->target.image_bgra_by_rgba)
        return on;
    on.vk = format->type->formats[column == BGRA ? FOUR : SRGBA];
    on.stored = format->type->formats[FOUR];
    on.swizzled = true;
    on.swizzle = swizzle_to("bgra");
    return on;
}

#define ALL(features, bits) (((features) & (bits)) == (bits))

// Whether kernels can store to the format: `has` are the features of the format used for stores.
static bool can_store(const struct image_format *format, VkFormatFeatureFlags2 has, const struct device_caps *caps,
                      const struct vk_facts *facts)
{
    bool encodes = format->stored != format->vk;
    return format->storable && vk_format_writes(facts, format->stored, has, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT) &&
           (!encodes || (kc_extensions_have(&caps->target.extensions, KC_EXT_SRGB_IMAGE_WRITES) &&
                         facts->features.view_of_other_format));
}

// If kernels do the filtering, the device need not support it.
static unsigned abilities_of(const struct image_format *format, VkFormatFeatureFlags2 features,
                             VkFormatFeatureFlags2 stored, const struct device_caps *caps,
                             const struct vk_facts *facts)
{
    const bool filtered = format->kind == KC_TEXEL_FLOAT && caps->target.image_linear_filter;
    const VkFormatFeatureFlags2 transfers =
        VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
    const VkFormatFeatureFlags2 sampled =
        VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT |
        (filtered ? VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0);
    const VkFormatFeatureFlags2 storage = VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT;
    unsigned can = 0;
    if (!ALL(features, transfers) || (format->swizzled && !facts->features.view_swizzle))
        return 0;
    if (ALL(features, sampled))
        can |= IMAGE_CAN_READ;
    if (can_store(format, stored, caps, facts))
        can |= IMAGE_CAN_WRITE;
    if (can == (IMAGE_CAN_READ | IMAGE_CAN_WRITE) && !format->swizzled && format->stored == format->vk &&
        vk_format_reads_and_writes(facts, format->vk, features, storage))
        can |= IMAGE_CAN_READ_WRITE;
    return can;
}

// A texel buffer view has no swizzle, and must support all usages of buffers.
static unsigned texel_abilities(const struct image_format *format, VkFormatFeatureFlags2 features,
                                const struct vk_facts *facts)
{
    const VkFormatFeatureFlags2 storage = VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT;
    if (format->swizzled || !format->storable || format->stored != format->vk || !ALL(features, VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT) ||
        !vk_format_writes(facts, format->vk, features, storage))
        return 0;
    bool both = vk_format_reads_and_writes(facts, format->vk, features, storage);
    return IMAGE_CAN_READ | IMAGE_CAN_WRITE | (both ? IMAGE_CAN_READ_WRITE : 0);
}

unsigned image_format_abilities(const struct image_format *of, const struct _cl_device_id *device,
                                cl_mem_object_type type)
{
    const struct vk_physical *physical = device->physical;
    const struct image_format on = image_format_on(of, &device->caps, type), *format = &on;
    VkFormatProperties3 properties = vk_physical_format(physical, format->vk);
    bool flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    if (format->order->cl == CL_DEPTH && !flat)
        return 0;
    if (format->type->encoding == PACKED && format->type->bytes == 2 && !device->caps.packed_texels)
        return 0;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return texel_abilities(format, properties.bufferFeatures, &physical->facts);
    VkFormatFeatureFlags2 stored = vk_physical_format(physical, format->stored).optimalTilingFeatures;
    unsigned can =
        abilities_of(format, properties.optimalTilingFeatures, stored, &device->caps, &physical->facts);
    if (type == CL_MEM_OBJECT_IMAGE3D && !device->caps.target.image_3d_writes)
        can &= IMAGE_CAN_READ;
    const struct vk_image_info smallest = {
        .dim = image_dim(type),
        .format = format->vk,
        .texel = format->texel,
        .extent = {1, 1, 1},
        .layers = 1,
        .sampled = can & IMAGE_CAN_READ,
        .storage = can & IMAGE_CAN_WRITE,
        .other_formats = format->stored != format->vk,
    };
    return can && vk_image_fits(physical, &smallest) ? can : 0;
}

// The required formats of the specification (OpenCL 3.0, 5.3.2.1 and 7). All but the last row are
// required in the embedded profile too.
static const struct {
    cl_image_format format;
    bool full; // only required in the full profile
    const char *name;
} required_formats[] = {
#define LEAST(order, type, full) {{CL_##order, CL_##type}, full, "CL_" #order ", CL_" #type}
    LEAST(RGBA, UNORM_INT8, false),     LEAST(RGBA, UNORM_INT16, false),
    LEAST(RGBA, SIGNED_INT8, false),    LEAST(RGBA, SIGNED_INT16, false),
    LEAST(RGBA, SIGNED_INT32, false),   LEAST(RGBA, UNSIGNED_INT8, false),
    LEAST(RGBA, UNSIGNED_INT16, false), LEAST(RGBA, UNSIGNED_INT32, false),
    LEAST(RGBA, HALF_FLOAT, false),     LEAST(RGBA, FLOAT, false),
    LEAST(BGRA, UNORM_INT8, true),
};

const char *image_formats_missing(const struct device_caps *caps, const struct vk_facts *facts,
                                  bool full)
{
    const unsigned both = IMAGE_CAN_READ | IMAGE_CAN_WRITE;
    for (size_t i = 0; i < sizeof required_formats / sizeof *required_formats; i++) {
        struct image_format format;
        if (required_formats[i].full && !full)
            continue;
        image_format_find(&required_formats[i].format, &format);
        format = image_format_on(&format, caps, CL_MEM_OBJECT_IMAGE2D);
        VkFormatFeatureFlags2 has = vk_facts_format(facts, format.vk);
        if ((abilities_of(&format, has, has, caps, facts) & both) != both)
            return required_formats[i].name;
    }
    return NULL;
}

static const cl_channel_order twins[][2] = {
    {CL_sBGRA, CL_BGRA},
    {CL_sRGBA, CL_RGBA},
    {CL_DEPTH, CL_R},
};

bool image_formats_share(const struct image_format *a, const struct image_format *b)
{
    if (a->type != b->type)
        return false;
    if (a->order == b->order)
        return true;
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if ((a->order->cl == twins[i][0] && b->order->cl == twins[i][1]) ||
            (a->order->cl == twins[i][1] && b->order->cl == twins[i][0]))
            return true;
    return false;
}

bool image_format_has_twin(const struct image_format *format)
{
    enum column column = format->order->column;
    return format->type->cl == CL_UNORM_INT8 && !format->swizzled &&
           (column == FOUR || column == BGRA || column == SRGBA || column == SBGRA);
}

// Channels of 32 bits can be read as any class. Smaller ones can be read as integers of either
// sign; reading them as floats would need a conversion.
void image_format_raw(const struct image_format *format, const struct device_caps *caps, VkFormat raw[VK_NUMBERS_COUNT])
{
    static const enum encoding wanted[VK_NUMBERS_COUNT] = {
        [VK_NUMBERS_FLOAT] = FLOAT, [VK_NUMBERS_INT] = SIGNED, [VK_NUMBERS_UINT] = UNSIGNED};
    static const enum column plain[COLUMNS] = {[ONE] = ONE,     [TWO] = TWO,   [THREE] = THREE,
                                               [FOUR] = FOUR,   [BGRA] = BGRA, [SRGBA] = FOUR,
                                               [SBGRA] = BGRA,  [PACKED_FOUR] = PACKED_FOUR};
    enum column column = plain[format->order->column];
    if (column == BGRA && caps->target.image_bgra_by_rgba)
        column = FOUR;
    for (int n = 0; n < VK_NUMBERS_COUNT; n++) {
        raw[n] = VK_FORMAT_UNDEFINED;
        for (size_t t = 0; t < TYPES && n != (int)format->kind; t++)
            if (types[t].encoding == wanted[n] && types[t].bytes == format->type->bytes)
                raw[n] = types[t].formats[column];
    }
}

unsigned image_format_needs(cl_mem_flags flags)
{
    unsigned needs = 0;
    if (flags & CL_MEM_KERNEL_READ_AND_WRITE)
        needs |= IMAGE_CAN_READ_WRITE;
    if (flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT))
        return needs | IMAGE_CAN_READ;
    if (flags & CL_MEM_WRITE_ONLY)
        return needs | IMAGE_CAN_WRITE;
    return needs | IMAGE_CAN_READ | IMAGE_CAN_WRITE;
}

// ---- texels -------------------------------------------------------------------------------------

// Rounds to the nearest of `steps` steps between 0 (or -1) and 1, ties to even; NaN becomes 0.
static int64_t quantize(float value, float least, double steps)
{
    double clamped = value > least ? (value < 1 ? value : 1) : least;
    return value != value ? 0 : (int64_t)rint(clamped * steps);
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static float srgb_from_linear(float value)
{
    if (!(value > 0.0031308f))
        return value > 0 ? 12.92f * value : 0;
    return value < 1 ? (float)(1.055 * pow(value, 1 / 2.4) - 0.055) : 1;
}

static float component_f(const void *color, int i)
{
    float value;
    memcpy(&value, (const char *)color + 4 * i, sizeof value);
    return value;
}

static int64_t component_i(const void *color, int i, bool is_signed)
{
    uint32_t value;
    memcpy(&value, (const char *)color + 4 * i, sizeof value);
    return is_signed ? (int32_t)value : (int64_t)value;
}

// Component i of the colour, encoded as a channel.
static uint32_t channel_bits(const struct image_type *type, const void *color, int i)
{
    int bits = (int)type->bytes * 8;
    uint32_t raw;
    switch (type->encoding) {
    case UNORM:
        return (uint32_t)quantize(component_f(color, i), 0, (double)((1u << bits) - 1));
    case SNORM:
        return (uint32_t)quantize(component_f(color, i), -1, (double)((1u << (bits - 1)) - 1));
    case SIGNED:
        return (uint32_t)clamp(component_i(color, i, true), -(INT64_C(1) << (bits - 1)),
                               (INT64_C(1) << (bits - 1)) - 1);
    case UNSIGNED:
        return (uint32_t)clamp(component_i(color, i, false), 0, (INT64_C(1) << bits) - 1);
    case HALF:
        return half_from_double(component_f(color, i));
    default:
        memcpy(&raw, (const char *)color + 4 * i, sizeof raw);
        return raw;
    }
}

// The colour component of the i-th channel in memory; negative after the last.
static int component_at(const struct image_format *format, size_t i)
{
    static const char names[] = "rgba";
    char name = format->order->memory[i];
    return name ? (int)(strchr(names, name) - names) : -1;
}

// Packs the channels into one word: the first in the highest used bits.
static uint32_t packed_bits(const struct image_format *format, const void *color)
{
    static const struct {
        cl_channel_type type;
        uint8_t bits[4];
    } widths[] = {{CL_UNORM_SHORT_565, {5, 6, 5}},
                  {CL_UNORM_SHORT_555, {5, 5, 5}},
                  {CL_UNORM_INT_101010, {10, 10, 10}},
                  {CL_UNORM_INT_2_101010_EXT, {2, 10, 10, 10}}};
    size_t row = 0;
    uint32_t bits = 0;
    while (widths[row].type != format->type->cl)
        row++;
    for (size_t i = 0; component_at(format, i) >= 0; i++) {
        unsigned width = widths[row].bits[i];
        bits = bits << width |
               (uint32_t)quantize(component_f(color, component_at(format, i)), 0, (double)((1 << width) - 1));
    }
    return bits;
}

void image_format_pack(const struct image_format *format, const void *color, void *texel)
{
    const struct image_type *type = format->type;
    float linear[4];
    if (type->encoding == PACKED) {
        uint32_t bits = packed_bits(format, color);
        memcpy(texel, &bits, type->bytes); // little-endian hosts
        return;
    }
    if (format->order->column == SRGBA || format->order->column == SBGRA) {
        for (int i = 0; i < 4; i++)
            linear[i] = i < 3 ? srgb_from_linear(component_f(color, i)) : component_f(color, i);
        color = linear;
    }
    for (size_t i = 0; component_at(format, i) >= 0; i++) {
        uint32_t bits = channel_bits(type, color, component_at(format, i));
        memcpy((char *)texel + i * type->bytes, &bits, type->bytes);
    }
}
