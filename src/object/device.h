// SPDX-License-Identifier: Apache-2.0
// The one platform and its devices. Vulkan is not touched before the devices are first asked for.
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
    struct fork_lock lock; // of the next
    bool svm_known;
    cl_device_svm_capabilities svm;
    bool shares_host; // see device_shares_host()
    cl_uint clock_mhz; // 0: not asked for yet
    bool cache_known;
    struct vk_last_cache cache;
};

extern struct _cl_platform_id device_platform;

// Contexts and queues that the application has references on. With none, a fork waits a little for what goes behind its back.
extern atomic_uint device_holders;

// All devices, found at the first call; they live as long as the process. 0 when there are none.
cl_uint device_list(struct _cl_device_id **devices);

// What memory the device shares with the host. Tried out when first asked for a driver, which opens
// the device, and kept on disk; what follows from it is in caps from then on.
cl_device_svm_capabilities device_svm(struct _cl_device_id *device);

// The same without trying: 0 as long as nobody has asked.
cl_device_svm_capabilities device_svm_known(const struct _cl_device_id *device);

// Whether there is memory that device and host see at one address. Tried out likewise.
bool device_shares_host(struct _cl_device_id *device);

// Its highest clock rate; looked for when first asked for.
cl_uint device_clock_mhz(struct _cl_device_id *device);

// The last cache in front of its memory; likewise.
struct vk_last_cache device_last_cache(struct _cl_device_id *device);

// True when `handle` is one of those: no need to look at what it points to.
bool device_known(const void *handle);

// True when the device answers to this type mask (CL_DEVICE_TYPE_DEFAULT: only the first device).
bool device_answers(const struct _cl_device_id *device, cl_device_type type);

#endif
