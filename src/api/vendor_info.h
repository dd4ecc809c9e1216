// SPDX-License-Identifier: Apache-2.0
// The queries of devices that their vendors have made.
#ifndef PUMICE_API_VENDOR_INFO_H
#define PUMICE_API_VENDOR_INFO_H

#include "api/info.h"

// Whether the query is of the range that these vendors have.
bool vendor_info_has(cl_device_info query);

// As clGetDeviceInfo. CL_INVALID_VALUE for what is not known of the device.
cl_int vendor_info_get(const struct _cl_device_id *device, cl_device_info query, size_t size,
                       void *value, size_t *size_ret);

#endif
