// SPDX-License-Identifier: Apache-2.0
// cl_ext_image_requirements_info: the requirements for an image, or for a buffer that an image is
// created from.
//
// Images in buffers are copied for kernels, so texels only have to be aligned to their size.
#include "api/image.h"
#include "api/memory.h"

struct query {
    cl_context context;
    const cl_image_format *format; // NULL: all formats
    const cl_image_desc *desc;     // NULL: all images
};

// ---- answers ------------------------------------------------------------------------------------

// The query has fewer error codes than image creation.
static cl_int read_desc(const struct query *query, struct image_desc *form)
{
    *form = (struct image_desc){.parent = NULL};
    cl_int error = image_read_desc(query->context, query->format, query->desc, form);
    if (query->desc && !error && (query->desc->num_mip_levels || query->desc->num_samples))
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "mip levels and samples are not supported");
    return error == CL_IMAGE_FORMAT_NOT_SUPPORTED ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
           : error == CL_INVALID_IMAGE_SIZE       ? CL_INVALID_IMAGE_DESCRIPTOR
                                                  : error;
}

static cl_int get_alignment(const void *object, struct info *info)
{
    enum { LARGEST_TEXEL = 16 };
    const struct query *query = object;
    struct image_desc form;
    TRY(read_desc(query, &form));
    info_size(info, query->format ? form.format.texel : LARGEST_TEXEL);
    return CL_SUCCESS;
}

static cl_int get_size(const void *object, struct info *info)
{
    const struct query *query = object;
    struct image_desc form;
    if (!query->format || !query->desc)
        return REFUSE(CL_INVALID_VALUE, "a size is queried for an image without %s", query->desc ? "format" : "description");
    TRY(read_desc(query, &form));
    info_size(info, image_byte_size(&form));
    return CL_SUCCESS;
}

// The other sizes of the description do not affect it.
static cl_int get_limit(const void *object, enum image_axis axis, struct info *info)
{
    const struct query *query = object;
    const struct query plain = {query->context, query->format, NULL};
    cl_mem_object_type type = query->desc ? query->desc->image_type : 0;
    size_t limit = image_size_limit(query->context, type, axis);
    struct image_desc form;
    TRY(read_desc(&plain, &form));
    if (!limit)
        return REFUSE(CL_INVALID_IMAGE_DESCRIPTOR, "the size is not defined for an image of type 0x%x", type);
    info_uint(info, limit < CL_UINT_MAX ? (cl_uint)limit : CL_UINT_MAX);
    return CL_SUCCESS;
}

static cl_int get_width(const void *object, struct info *info)
{
    return get_limit(object, IMAGE_WIDTH, info);
}

static cl_int get_height(const void *object, struct info *info)
{
    return get_limit(object, IMAGE_HEIGHT, info);
}

static cl_int get_depth(const void *object, struct info *info)
{
    return get_limit(object, IMAGE_DEPTH, info);
}

static cl_int get_array_size(const void *object, struct info *info)
{
    return get_limit(object, IMAGE_ARRAY_SIZE, info);
}

// ---- the entry point ----------------------------------------------------------------------------

static const struct info_row requirements_info[] = {
    INFO_CALL(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, get_alignment),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, get_alignment),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, get_alignment),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_SIZE_EXT, get_size),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, get_width),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, get_height),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, get_depth),
    INFO_CALL(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, get_array_size),
};

cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context context, const cl_mem_properties *properties,
                                                 cl_mem_flags flags, const cl_image_format *image_format,
                                                 const cl_image_desc *image_desc,
                                                 cl_image_requirements_info_ext param_name, size_t param_value_size,
                                                 void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    const struct query query = {context, image_format, image_desc};
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(image_check_context(context));
    if (properties && properties[0])
        return REFUSE(CL_INVALID_PROPERTY, "image property 0x%llx is not supported", (unsigned long long)properties[0]);
    TRY(memory_check_flags(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE));
    return info_get(requirements_info, INFO_COUNT(requirements_info), &query, param_name, param_value_size, param_value,
                    param_value_size_ret);
}
