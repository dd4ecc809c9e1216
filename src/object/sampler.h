// SPDX-License-Identifier: Apache-2.0
// Samplers: their values, and their encoding for kernels.
#ifndef PUMICE_OBJECT_SAMPLER_H
#define PUMICE_OBJECT_SAMPLER_H

#include "object/context.h"
#include "object/object.h"

struct sampler_values {
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter, mip_filter;
    cl_float lod_min, lod_max;
};

struct _cl_sampler {
    struct object base;
    struct _cl_context *context;
    struct sampler_values values;
    cl_sampler_properties *properties; // as passed, including the terminating 0; NULL: none
    size_t property_count;
    cl_uint value; // KC_SAMPLER_* bits
};

// The values are already checked.
cl_int sampler_create(struct _cl_context *context, const struct sampler_values *values,
                      const cl_sampler_properties *properties, size_t property_count,
                      struct _cl_sampler **out);

#endif
