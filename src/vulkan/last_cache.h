// SPDX-License-Identifier: Apache-2.0
// The last-level cache of a device, which Vulkan does not report.
#ifndef PUMICE_VULKAN_LAST_CACHE_H
#define PUMICE_VULKAN_LAST_CACHE_H

#include "vulkan/device.h"

struct vk_last_cache {
    uint64_t size; // bytes; 0: unknown
    uint32_t line; // bytes per line; 0: unknown
};

// From libc, the driver's library or the kernel's files. NVIDIA's library may take half a second
// the first time. `root`: prefix of file paths, for tests; normally "".
struct vk_last_cache vk_last_cache(const struct vk_facts *facts, const char *root);

#endif
