// SPDX-License-Identifier: Apache-2.0
// Handle types for sharing memory and semaphores with other APIs.
#ifndef PUMICE_API_EXTERNAL_H
#define PUMICE_API_EXTERNAL_H

#include "api/api.h"

enum external_use {
    EXTERNAL_MEMORY,
    EXTERNAL_LINEAR_IMAGES,
    EXTERNAL_SEMAPHORES_IN,
    EXTERNAL_SEMAPHORES_OUT,
    EXTERNAL_USES
};

// Vulkan's bit for an OpenCL handle type; 0: not supported for this use.
uint32_t external_type(enum external_use use, cl_properties type);
bool external_can(const struct _cl_device_id *device, enum external_use use, uint32_t bit);

// The result of a device's query; for the platform, what all of its devices support.
void external_put(const struct _cl_device_id *devices, cl_uint count, enum external_use use,
                  struct info *info);
void external_put_type(enum external_use use, uint32_t bit, struct info *info);

#endif
