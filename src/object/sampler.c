// SPDX-License-Identifier: Apache-2.0
// Samplers refer to their context and use no device resources.
#include "object/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pumice/kc.h"

static void sampler_destroy(void *object)
{
    struct _cl_sampler *sampler = object;
    object_drop(sampler->context);
    free(sampler->properties);
    free(sampler);
}

// In units of 1/128, limited to the encodable range.
static cl_uint lod_steps(cl_float lod)
{
    float steps = rintf(lod * 128);
    return steps > 0 ? steps < KC_SAMPLER_LOD_LIMIT ? (cl_uint)steps : KC_SAMPLER_LOD_LIMIT : 0;
}

static cl_uint sampler_value(const struct sampler_values *values)
{
    static const cl_uint addressing[] = {
        [CL_ADDRESS_NONE - CL_ADDRESS_NONE] = KC_SAMPLER_NONE,
        [CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] = KC_SAMPLER_CLAMP_TO_EDGE,
        [CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = KC_SAMPLER_CLAMP,
        [CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = KC_SAMPLER_REPEAT,
        [CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] = KC_SAMPLER_MIRRORED_REPEAT,
    };
    return (values->normalized ? KC_SAMPLER_NORMALIZED : 0u) |
           addressing[values->addressing - CL_ADDRESS_NONE] |
           (values->filter == CL_FILTER_LINEAR ? KC_SAMPLER_LINEAR : KC_SAMPLER_NEAREST) |
           (values->mip_filter == CL_FILTER_LINEAR ? KC_SAMPLER_MIP_LINEAR : 0u) |
           lod_steps(values->lod_min) << KC_SAMPLER_LOD_MIN |
           (KC_SAMPLER_LOD_LIMIT - lod_steps(values->lod_max)) << KC_SAMPLER_LOD_MAX;
}

cl_int sampler_create(struct _cl_context *context, const struct sampler_values *values,
                      const cl_sampler_properties *properties, size_t property_count,
                      struct _cl_sampler **out)
{
    struct _cl_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&sampler->base, OBJECT_SAMPLER, sampler_destroy);
    sampler->context = object_use(context);
    sampler->values = *values;
    sampler->value = sampler_value(values);
    if (property_count) {
        sampler->properties = malloc(property_count * sizeof *properties);
        if (!sampler->properties) {
            sampler_destroy(sampler);
            return CL_OUT_OF_HOST_MEMORY;
        }
        memcpy(sampler->properties, properties, property_count * sizeof *properties);
        sampler->property_count = property_count;
    }
    *out = sampler;
    return CL_SUCCESS;
}
