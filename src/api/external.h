// SPDX-License-Identifier: Apache-2.0
// Types of handles that memory and semaphores pass between APIs by.
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

// The bit that Vulkan has for a handle type of OpenCL's; 0: there is no such type for this use.
uint32_t external_type(enum external_use use, cl_properties type);
bool external_can(const struct _cl_device_id *device, enum external_use use, uint32_t bit);

// What queries of a device show, and of the platform: what all of its devices can.
void external_put(const struct _cl_device_id *devices, cl_uint count, enum external_use use,
                  struct info *info);
void external_put_type(enum external_use use, uint32_t bit, struct info *info);

#endif
