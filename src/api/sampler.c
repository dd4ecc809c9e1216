// SPDX-License-Identifier: Apache-2.0
// Samplers: creation and queries.
#include "api/api.h"
#include "object/sampler.h"

#include <string.h>

static cl_int check_images(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i].device->caps.images)
            return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "no device of the context supports images");
}

// ---- creation -----------------------------------------------------------------------------------

// The defaults.
#define SAMPLER_VALUES(normalized, addressing, filter)                                             \
    {                                                                                              \
        normalized, addressing, filter, CL_FILTER_NEAREST, 0, CL_FLT_MAX                             \
    }

static cl_int check_values(const struct sampler_values *values)
{
    if (values->normalized != CL_TRUE && values->normalized != CL_FALSE)
        return REFUSE(CL_INVALID_VALUE, "invalid value %u for normalized coordinates", values->normalized);
    if (values->addressing < CL_ADDRESS_NONE || values->addressing > CL_ADDRESS_MIRRORED_REPEAT)
        return REFUSE(CL_INVALID_VALUE, "invalid addressing mode 0x%x", values->addressing);
    if (values->filter != CL_FILTER_NEAREST && values->filter != CL_FILTER_LINEAR)
        return REFUSE(CL_INVALID_VALUE, "invalid filter mode 0x%x", values->filter);
    if (values->mip_filter != CL_FILTER_NEAREST && values->mip_filter != CL_FILTER_LINEAR)
        return REFUSE(CL_INVALID_VALUE, "invalid mip filter mode 0x%x", values->mip_filter);
    if (!(values->lod_min <= values->lod_max))
        return REFUSE(CL_INVALID_VALUE, "invalid levels of detail from %g to %g", values->lod_min, values->lod_max);
    if (!values->normalized && (values->addressing == CL_ADDRESS_REPEAT ||
                                values->addressing == CL_ADDRESS_MIRRORED_REPEAT))
        return REFUSE(CL_INVALID_VALUE, "CL_ADDRESS_REPEAT and CL_ADDRESS_MIRRORED_REPEAT require normalized coordinates");
    return CL_SUCCESS;
}

static cl_int create_sampler(cl_context context, const struct sampler_values *values,
                             cl_sampler *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(check_images(context));
    TRY(check_values(values));
    return sampler_create(context, values, NULL, 0, out);
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int *errcode_ret)
{
    API_CALL;
    cl_sampler sampler = NULL;
    const struct sampler_values values = SAMPLER_VALUES(normalized_coords, addressing_mode, filter_mode);
    api_set_error(errcode_ret, create_sampler(context, &values, &sampler));
    return sampler;
}

// The 32-bit value that a property sets; NULL: unknown property.
static void *value_of(struct sampler_values *values, cl_sampler_properties name)
{
    switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
        return &values->normalized;
    case CL_SAMPLER_ADDRESSING_MODE:
        return &values->addressing;
    case CL_SAMPLER_FILTER_MODE:
        return &values->filter;
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        return &values->mip_filter;
    case CL_SAMPLER_LOD_MIN_KHR:
        return &values->lod_min;
    case CL_SAMPLER_LOD_MAX_KHR:
        return &values->lod_max;
    default:
        return NULL;
    }
}

static cl_int read_properties(const cl_sampler_properties *list, struct sampler_values *values,
                              size_t *count)
{
    *count = 0;
    for (; list && list[*count]; *count += 2) {
        void *value = value_of(values, list[*count]);
        cl_uint bits = (cl_uint)list[*count + 1];
        if (!value || list[*count + 1] > CL_UINT_MAX)
            return REFUSE(CL_INVALID_VALUE, "invalid property 0x%llx with value 0x%llx",
                          (unsigned long long)list[*count], (unsigned long long)list[*count + 1]);
        for (size_t i = 0; i < *count; i += 2)
            if (list[i] == list[*count])
                return REFUSE(CL_INVALID_VALUE, "property 0x%llx is specified twice",
                              (unsigned long long)list[i]);
        memcpy(value, &bits, sizeof bits);
    }
    *count += list != NULL;
    return CL_SUCCESS;
}

static cl_int create_with(cl_context context, const cl_sampler_properties *list, cl_sampler *out)
{
    struct sampler_values values = SAMPLER_VALUES(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    size_t count;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(check_images(context));
    TRY(read_properties(list, &values, &count));
    TRY(check_values(&values));
    return sampler_create(context, &values, list, count, out);
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret)
{
    API_CALL;
    cl_sampler sampler = NULL;
    api_set_error(errcode_ret, create_with(context, properties, &sampler));
    return sampler;
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
    API_QUICK_CALL;
    return api_retain(sampler, OBJECT_SAMPLER);
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
    API_CALL;
    return api_release(sampler, OBJECT_SAMPLER);
}

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_sampler *sampler = object;
    info_put(info, sampler->properties, sampler->property_count * sizeof *sampler->properties);
    return CL_SUCCESS;
}

static const struct info_row sampler_info[] = {
    INFO_CALL(CL_SAMPLER_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_SAMPLER_CONTEXT, struct _cl_sampler, context),
    INFO_FIELD(CL_SAMPLER_NORMALIZED_COORDS, struct _cl_sampler, values.normalized),
    INFO_FIELD(CL_SAMPLER_ADDRESSING_MODE, struct _cl_sampler, values.addressing),
    INFO_FIELD(CL_SAMPLER_FILTER_MODE, struct _cl_sampler, values.filter),
    INFO_FIELD(CL_SAMPLER_MIP_FILTER_MODE_KHR, struct _cl_sampler, values.mip_filter),
    INFO_FIELD(CL_SAMPLER_LOD_MIN_KHR, struct _cl_sampler, values.lod_min),
    INFO_FIELD(CL_SAMPLER_LOD_MAX_KHR, struct _cl_sampler, values.lod_max),
    INFO_CALL(CL_SAMPLER_PROPERTIES, get_properties),
};

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(sampler, OBJECT_SAMPLER));
    return info_get(sampler_info, INFO_COUNT(sampler_info), sampler, param_name, param_value_size,
                    param_value, param_value_size_ret);
}
