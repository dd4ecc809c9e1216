// SPDX-License-Identifier: Apache-2.0
// Samplers hold their context and nothing of a device.
#include "object/sampler.h"

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

static cl_uint sampler_value(const struct _cl_sampler *sampler)
{
    static const cl_uint addressing[] = {
        [CL_ADDRESS_NONE - CL_ADDRESS_NONE] = KC_SAMPLER_NONE,
        [CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] = KC_SAMPLER_CLAMP_TO_EDGE,
        [CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = KC_SAMPLER_CLAMP,
        [CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = KC_SAMPLER_REPEAT,
        [CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] = KC_SAMPLER_MIRRORED_REPEAT,
    };
    return (sampler->normalized ? KC_SAMPLER_NORMALIZED : 0u) |
           addressing[sampler->addressing - CL_ADDRESS_NONE] |
           (sampler->filter == CL_FILTER_LINEAR ? KC_SAMPLER_LINEAR : KC_SAMPLER_NEAREST);
}

cl_int sampler_create(struct _cl_context *context, cl_bool normalized,
                      cl_addressing_mode addressing, cl_filter_mode filter,
                      const cl_sampler_properties *properties, size_t property_count,
                      struct _cl_sampler **out)
{
    struct _cl_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&sampler->base, OBJECT_SAMPLER, sampler_destroy);
    sampler->context = object_use(context);
    sampler->normalized = normalized;
    sampler->addressing = addressing;
    sampler->filter = filter;
    sampler->value = sampler_value(sampler);
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
