// SPDX-License-Identifier: Apache-2.0
// The platform and its devices. Vulkan is not used before the devices are first queried.
#ifndef PUMICE_OBJECT_DEVICE_H
#define PUMICE_OBJECT_DEVICE_H

#include "object/device_caps.h"
#include "object/object.h"
#include "util/fork_lock.h"
#include "vulkan/last_cache.h"

struct _cl_platform_id {
    struct object base;
};

struct _cl_device_id {
    struct object base;
    struct vk_physical *physical;
    struct device_caps caps;
    struct fork_lock lock; // guards the following members
    bool svm_known;
    cl_device_svm_capabilities svm;
    bool shares_host; // result of device_shares_host()
    cl_uint clock_mhz; // 0: not queried yet
    bool cache_known;
    struct vk_last_cache cache;
};

extern struct _cl_platform_id device_platform;

// Contexts and queues that the application holds references to. If there are none, a fork waits
// briefly for objects that are still being destroyed.
extern atomic_uint device_references;

// All devices, found at the first call; they live as long as the process. 0: there are none.
cl_uint device_list(struct _cl_device_id **devices);

// The kinds of memory that the device shares with the host. Probed at the first query, which opens
// the device, and cached on disk for each driver; `caps` includes the consequences from then on.
cl_device_svm_capabilities device_svm(struct _cl_device_id *device);

// The same without probing: 0 until it has been queried.
cl_device_svm_capabilities device_svm_known(const struct _cl_device_id *device);

// Whether device and host can access memory at the same address. Probed in the same way.
bool device_shares_host(struct _cl_device_id *device);

// Its highest clock rate; determined at the first query.
cl_uint device_clock_mhz(struct _cl_device_id *device);

// Its last-level cache; determined at the first query.
struct vk_last_cache device_last_cache(struct _cl_device_id *device);

// True if `handle` is one of the devices; does not dereference it.
bool device_is_valid(const void *handle);

// True if the device matches this type mask (CL_DEVICE_TYPE_DEFAULT: only the first device).
bool device_matches(const struct _cl_device_id *device, cl_device_type type);

#endif
