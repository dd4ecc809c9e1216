// SPDX-License-Identifier: Apache-2.0
// Images: formats, creation with its checks, queries.
//
// A description is checked against its type's row in a table (the sizes of the type and their
// limits), completed with default pitches, and passed on.
#include "api/image.h"
#include "api/memory.h"

#include <string.h>

// ---- capabilities of a context ------------------------------------------------------------------

cl_int image_check_context(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i].device->caps.images)
            return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "no device of the context supports images");
}

bool image_format_usable(const struct _cl_context *context, const struct image_format *format,
                         cl_mem_object_type type, cl_mem_flags flags)
{
    unsigned needs = image_format_needs(flags);
    for (cl_uint i = 0; i < context->device_count; i++) {
        const struct _cl_device_id *device = context->devices[i].device;
        if (device->caps.images &&
            (image_format_abilities(format, device, type) & needs) != needs)
            return false;
    }
    return true;
}

static cl_int list_formats(const struct _cl_context *context, cl_mem_flags flags,
                           cl_mem_object_type type, cl_uint room, cl_image_format *formats,
                           cl_uint *count)
{
    struct image_format format;
    cl_uint found = 0;
    for (size_t i = 0; !image_check_context(context) && image_format_at(i, &format); i++) {
        if (!image_format_usable(context, &format, type, flags))
            continue;
        if (formats && found < room)
            formats[found] = format.cl;
        found++;
    }
    if (count)
        *count = found;
    return CL_SUCCESS;
}

static bool is_image_type(cl_mem_object_type type)
{
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format *image_formats,
                                              cl_uint *num_image_formats)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(memory_check_flags(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE));
    if (!is_image_type(image_type))
        return REFUSE(CL_INVALID_VALUE, "invalid image type 0x%x", image_type);
    if (!num_entries && image_formats)
        return REFUSE(CL_INVALID_VALUE, "the list of formats has no entries");
    return list_formats(context, flags, image_type, num_entries, image_formats, num_image_formats);
}

// ---- descriptions -------------------------------------------------------------------------------

// The fields of struct device_caps with the limits of the sizes; 0: the type does not have that
// size.
static const struct type_row {
    cl_mem_object_type type;
    size_t limits[IMAGE_AXES];
} type_rows[] = {
#define LIMIT(member) offsetof(struct device_caps, member)
    {CL_MEM_OBJECT_IMAGE1D, {LIMIT(image2d[0])}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, {LIMIT(image_buffer)}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {LIMIT(image2d[0]), 0, 0, LIMIT(image_array)}},
    {CL_MEM_OBJECT_IMAGE2D, {LIMIT(image2d[0]), LIMIT(image2d[1])}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {LIMIT(image2d[0]), LIMIT(image2d[1]), 0, LIMIT(image_array)}},
    {CL_MEM_OBJECT_IMAGE3D, {LIMIT(image3d[0]), LIMIT(image3d[1]), LIMIT(image3d[2])}},
};

static size_t limit_of(const struct device_caps *caps, const struct type_row *row, int axis)
{
    return row->limits[axis] ? *(const size_t *)((const char *)caps + row->limits[axis]) : 0;
}

static bool sizes_fit(const struct device_caps *caps, const struct type_row *row, const size_t sizes[IMAGE_AXES])
{
    for (int axis = 0; axis < IMAGE_AXES; axis++)
        if (sizes[axis] > limit_of(caps, row, axis))
            return false;
    return true;
}

size_t image_size_limit(const struct _cl_context *context, cl_mem_object_type type, enum image_axis axis)
{
    size_t least = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        for (size_t t = 0; t < INFO_COUNT(type_rows); t++) {
            const struct device_caps *caps = &context->devices[i].device->caps;
            size_t limit = limit_of(caps, &type_rows[t], axis);
            if (caps->images && limit && (!type || type_rows[t].type == type) && (!least || limit < least))
                least = limit;
        }
    return least;
}

// Sizes that the type does not have are ignored.
static cl_int take_sizes(const struct _cl_context *context, const cl_image_desc *given,
                         struct image_desc *desc)
{
    const struct type_row *row = NULL;
    for (size_t i = 0; i < INFO_COUNT(type_rows); i++)
        if (type_rows[i].type == given->image_type)
            row = &type_rows[i];
    if (!row)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "invalid image type 0x%x", given->image_type);
    size_t sizes[] = {given->image_width, given->image_height, given->image_depth, given->image_array_size};
    for (int axis = 0; axis < IMAGE_AXES; axis++) {
        if (!row->limits[axis])
            sizes[axis] = 0;
        else if (!sizes[axis])
            return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "an image dimension is 0");
    }
    desc->type = row->type;
    desc->width = sizes[IMAGE_WIDTH];
    desc->height = sizes[IMAGE_HEIGHT];
    desc->depth = sizes[IMAGE_DEPTH];
    desc->array_size = sizes[IMAGE_ARRAY_SIZE];
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i].device->caps.images && sizes_fit(&context->devices[i].device->caps, row, sizes))
            return CL_SUCCESS;
    return REFUSE(CL_INVALID_IMAGE_SIZE, "an image of %zux%zux%zu, %zu layers exceeds the limits of all devices",
                  desc->width, desc->height, desc->depth, desc->array_size);
}

static bool has_slices(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

// Sets the pitches; for memory from the application they may be specified.
static cl_int take_pitches(const cl_image_desc *given, struct image_desc *desc)
{
    size_t texel = desc->format.texel, row = desc->width * texel, slice;
    desc->row_pitch = given->image_row_pitch ? given->image_row_pitch : row;
    if (desc->row_pitch < row || desc->row_pitch % texel)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "invalid row pitch %zu for rows of %zu bytes",
                      desc->row_pitch, row);
    if (!has_slices(desc->type))
        return CL_SUCCESS;
    if (__builtin_mul_overflow(desc->row_pitch, desc->height ? desc->height : 1, &slice))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "invalid row pitch %zu", desc->row_pitch);
    desc->slice_pitch = given->image_slice_pitch ? given->image_slice_pitch : slice;
    if (desc->slice_pitch < slice || desc->slice_pitch % desc->row_pitch)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "invalid slice pitch %zu for slices of %zu bytes",
                      desc->slice_pitch, slice);
    if (__builtin_mul_overflow(desc->slice_pitch, desc->array_size | desc->depth, &slice))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "invalid slice pitch %zu", desc->slice_pitch);
    return CL_SUCCESS;
}

static cl_int take_format(const cl_image_format *given, struct image_format *format)
{
    if (!given)
        return REFUSE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no format");
    cl_int error = image_format_find(given, format);
    return error ? REFUSE(error, "invalid image format: channel order 0x%x, type 0x%x", given->image_channel_order,
                          given->image_channel_data_type)
                 : CL_SUCCESS;
}

cl_int image_read_desc(const struct _cl_context *context, const cl_image_format *format,
                       const cl_image_desc *given, struct image_desc *desc)
{
    if (format)
        TRY(take_format(format, &desc->format));
    if (given)
        TRY(take_sizes(context, given, desc));
    return format && given ? take_pitches(given, desc) : CL_SUCCESS;
}

// ---- parents ------------------------------------------------------------------------------------

// Rows, slices and the first texel of an image in a buffer must be aligned to a texel, whose size
// is a power of two.
static cl_int check_aligned(const struct image_desc *desc, const cl_image_desc *given)
{
    size_t begin = (size_t)(uintptr_t)desc->parent->host_ptr | desc->parent->storage_offset;
    if ((given->image_row_pitch | given->image_slice_pitch | begin) % desc->format.texel)
        return REFUSE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the layout is not supported: texels of %u bytes, row pitch %zu, slice "
                                                          "pitch %zu, offset %zu",
                      desc->format.texel, given->image_row_pitch, given->image_slice_pitch, begin);
    return CL_SUCCESS;
}

static cl_int check_buffer_parent(const struct image_desc *desc)
{
    size_t size = image_byte_size(desc);
    if (size > desc->parent->size)
        return REFUSE(CL_INVALID_IMAGE_SIZE, "the image needs %zu bytes, the buffer has %zu", size, desc->parent->size);
    return CL_SUCCESS;
}

static cl_int take_image_parent(const cl_image_desc *given, struct image_desc *desc)
{
    const struct memobj_image *parent = desc->parent->image;
    if (!image_formats_share(&desc->format, &parent->format) ||
        (desc->parent->external &&
         memcmp(&desc->format.cl, &parent->format.cl, sizeof desc->format.cl)))
        return REFUSE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the format is not compatible with the parent's");
    if (desc->width != parent->width || desc->height != parent->height || parent->levels > 1 ||
        (given->image_row_pitch && given->image_row_pitch != parent->row_pitch))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "the size differs from the parent's");
    desc->row_pitch = parent->row_pitch;
    return CL_SUCCESS;
}

static cl_int take_parent(const struct _cl_context *context, const cl_image_desc *given,
                          struct image_desc *desc)
{
    cl_mem parent = given->mem_object;
    bool needs = desc->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!parent)
        return needs ? REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "no buffer") : CL_SUCCESS;
    if (!object_is(parent, OBJECT_MEM) || parent->context != context)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "the parent is not a memory object of the context");
    if (parent->type != CL_MEM_OBJECT_BUFFER &&
        (desc->type != CL_MEM_OBJECT_IMAGE2D || parent->type != CL_MEM_OBJECT_IMAGE2D))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "the parent has the invalid type 0x%x", parent->type);
    desc->parent = parent;
    return CL_SUCCESS;
}

// ---- mip levels ----------------------------------------------------------------------------------

static bool has_mip_levels(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (kc_extensions_have(&context->devices[i].device->caps.target.extensions, KC_EXT_MIPMAP_IMAGE))
            return true;
    return false;
}

// The largest dimension is halved until it is zero.
static cl_uint max_levels(const struct image_desc *desc)
{
    cl_uint levels = 0;
    for (size_t sides = desc->width | desc->height | desc->depth; sides >> levels;)
        levels++;
    return levels;
}

static cl_int take_levels(const struct _cl_context *context, const cl_image_desc *given, cl_mem_flags flags,
                          const void *host_ptr, struct image_desc *desc)
{
    desc->levels = given->num_mip_levels;
    if (desc->levels < 2)
        return desc->levels && !has_mip_levels(context) ? REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "a mip level is specified") : CL_SUCCESS;
    bool plain = !given->mem_object && !host_ptr && !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) &&
                 desc->type != CL_MEM_OBJECT_IMAGE1D_BUFFER && desc->format.cl.image_channel_order != CL_DEPTH;
    if (!has_mip_levels(context) || !plain || desc->levels > max_levels(desc))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR,
                      "%u mip levels, the image supports at most %u or none", desc->levels,
                      max_levels(desc));
    return CL_SUCCESS;
}

// ---- creation -----------------------------------------------------------------------------------

static cl_int check_host_ptr(cl_mem_flags flags, const void *host_ptr, bool has_parent)
{
    bool wanted = !has_parent && flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (!host_ptr != !wanted)
        return REFUSE(CL_INVALID_HOST_PTR, "host pointer %p does not match the flags", host_ptr);
    return CL_SUCCESS;
}

static cl_int complete(struct _cl_context *context, cl_mem_flags *flags, const cl_image_desc *given,
                       const void *host_ptr, const struct memobj_options *options,
                       struct image_desc *desc)
{
    if (!given)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "no description");
    if (given->num_samples)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "%u samples", given->num_samples);
    TRY(take_sizes(context, given, desc));
    TRY(take_levels(context, given, *flags, host_ptr, desc));
    TRY(take_parent(context, given, desc));
    bool in_buffer = desc->parent && desc->parent->type == CL_MEM_OBJECT_BUFFER;
    if (desc->parent && options->external)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "a parent object is combined with an external handle");
    if (options->external && desc->levels > 1)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "%u mip levels are not supported in external memory", desc->levels);
    if (!host_ptr && !desc->parent && !options->external &&
        (given->image_row_pitch || given->image_slice_pitch))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "a pitch is specified without a host pointer");
    if (in_buffer)
        TRY(check_aligned(desc, given));
    TRY(take_pitches(given, desc));
    if (in_buffer)
        TRY(check_buffer_parent(desc));
    else if (desc->parent)
        TRY(take_image_parent(given, desc));
    if (desc->parent) {
        TRY(memory_check_child_flags(desc->parent, *flags));
        if (desc->parent->flags & CL_MEM_IMMUTABLE_EXT && !(*flags & CL_MEM_IMMUTABLE_EXT))
            return REFUSE(CL_INVALID_VALUE, "an image of an immutable object must be immutable");
        *flags = memory_child_flags(desc->parent, *flags);
        return CL_SUCCESS;
    }
    if (!(*flags & (DEVICE_ACCESS | CL_MEM_IMMUTABLE_EXT)))
        *flags |= CL_MEM_READ_WRITE;
    desc->asked_row_pitch = given->image_row_pitch;
    desc->asked_slice_pitch = given->image_slice_pitch;
    return memory_check_options(options, *flags, host_ptr);
}

static cl_int create_image(cl_context context, const cl_mem_properties *properties,
                           cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *given, void *host_ptr, cl_mem *out)
{
    struct image_desc desc = {.parent = NULL};
    struct memobj_options options;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(image_check_context(context));
    TRY(memory_read_properties(context, properties, false, &options));
    TRY(memory_check_flags(flags));
    TRY(take_format(format, &desc.format));
    TRY(complete(context, &flags, given, host_ptr, &options, &desc));
    TRY(check_host_ptr(flags, host_ptr, desc.parent != NULL));
    if (!image_format_usable(context, &desc.format, desc.type, flags))
        return REFUSE(CL_IMAGE_FORMAT_NOT_SUPPORTED, "invalid image format: channel order 0x%x, type 0x%x",
                      format->image_channel_order, format->image_channel_data_type);
    return memobj_create_image(context, flags, &desc, host_ptr, &options, out);
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *image_format,
                                 const cl_image_desc *image_desc, void *host_ptr,
                                 cl_int *errcode_ret)
{
    API_CALL;
    cl_mem image = NULL;
    api_set_error(errcode_ret,
                  create_image(context, NULL, flags, image_format, image_desc, host_ptr, &image));
    return image;
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags,
                                               const cl_image_format *image_format,
                                               const cl_image_desc *image_desc, void *host_ptr,
                                               cl_int *errcode_ret)
{
    API_CALL;
    cl_mem image = NULL;
    api_set_error(errcode_ret, create_image(context, properties, flags, image_format, image_desc,
                                            host_ptr, &image));
    return image;
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_row_pitch, void *host_ptr,
                                   cl_int *errcode_ret)
{
    API_CALL;
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D,
        .image_width = image_width,
        .image_height = image_height,
        .image_row_pitch = image_row_pitch,
    };
    cl_mem image = NULL;
    cl_int error = create_image(context, NULL, flags, image_format, &desc, host_ptr, &image);
    api_set_error(errcode_ret,
                  error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
    return image;
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    API_CALL;
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE3D,
        .image_width = image_width,
        .image_height = image_height,
        .image_depth = image_depth,
        .image_row_pitch = image_row_pitch,
        .image_slice_pitch = image_slice_pitch,
    };
    cl_mem image = NULL;
    cl_int error = create_image(context, NULL, flags, image_format, &desc, host_ptr, &image);
    api_set_error(errcode_ret,
                  error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
    return image;
}

// ---- queries ------------------------------------------------------------------------------------

static const struct memobj_image *image_of(const void *object)
{
    return ((const struct _cl_mem *)object)->image;
}

static cl_int get_format(const void *object, struct info *info)
{
    info_put(info, &image_of(object)->format.cl, sizeof image_of(object)->format.cl);
    return CL_SUCCESS;
}

// A 32-bit float depth with stencil has two words, of which OpenCL accesses one.
static cl_int get_texel(const void *object, struct info *info)
{
    const struct image_format *format = &image_of(object)->format;
    bool pair = format->cl.image_channel_order == CL_DEPTH_STENCIL && format->cl.image_channel_data_type == CL_FLOAT;
    info_size(info, pair ? 2 * sizeof(cl_float) : format->texel);
    return CL_SUCCESS;
}

#define SIZE_GETTER(member)                                                                        \
    static cl_int get_##member(const void *object, struct info *info)                              \
    {                                                                                              \
        info_size(info, image_of(object)->member);                                                 \
        return CL_SUCCESS;                                                                         \
    }
SIZE_GETTER(row_pitch)
SIZE_GETTER(slice_pitch)
SIZE_GETTER(width)
SIZE_GETTER(height)
SIZE_GETTER(depth)
SIZE_GETTER(array_size)

static cl_int get_levels(const void *object, struct info *info)
{
    info_uint(info, image_of(object)->levels);
    return CL_SUCCESS;
}

static cl_int get_buffer(const void *object, struct info *info)
{
    const struct _cl_mem *parent = ((const struct _cl_mem *)object)->parent;
    info_handle(info, parent && parent->type == CL_MEM_OBJECT_BUFFER ? parent : NULL);
    return CL_SUCCESS;
}

static const struct info_row image_info[] = {
    INFO_CALL(CL_IMAGE_FORMAT, get_format),       INFO_CALL(CL_IMAGE_ELEMENT_SIZE, get_texel),
    INFO_CALL(CL_IMAGE_ROW_PITCH, get_row_pitch), INFO_CALL(CL_IMAGE_SLICE_PITCH, get_slice_pitch),
    INFO_CALL(CL_IMAGE_WIDTH, get_width),         INFO_CALL(CL_IMAGE_HEIGHT, get_height),
    INFO_CALL(CL_IMAGE_DEPTH, get_depth),         INFO_CALL(CL_IMAGE_ARRAY_SIZE, get_array_size),
    INFO_CALL(CL_IMAGE_BUFFER, get_buffer),       INFO_CALL(CL_IMAGE_NUM_MIP_LEVELS, get_levels),
    INFO_VALUE(CL_IMAGE_NUM_SAMPLES, cl_uint, 0),
};

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(image, OBJECT_MEM));
    if (!image->image)
        return REFUSE(CL_INVALID_MEM_OBJECT, "not an image");
    return info_get(image_info, INFO_COUNT(image_info), image, param_name, param_value_size,
                    param_value, param_value_size_ret);
}
