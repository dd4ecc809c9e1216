// SPDX-License-Identifier: Apache-2.0
// Vendor-specific device queries.
#ifndef PUMICE_API_VENDOR_INFO_H
#define PUMICE_API_VENDOR_INFO_H

#include "api/info.h"

// Whether the query is in the ranges of these vendors.
bool vendor_info_has(cl_device_info query);

// Like clGetDeviceInfo. CL_INVALID_VALUE if the value is not known.
cl_int vendor_info_get(const struct _cl_device_id *device, cl_device_info query, size_t size,
                       void *value, size_t *size_ret);

#endif
