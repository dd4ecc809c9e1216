// SPDX-License-Identifier: Apache-2.0
// The last cache in front of a device's memory, which Vulkan does not tell of.
#ifndef PUMICE_VULKAN_LAST_CACHE_H
#define PUMICE_VULKAN_LAST_CACHE_H

#include "vulkan/device.h"

struct vk_last_cache {
    uint64_t size; // bytes; 0: nobody tells
    uint32_t line; // likewise
};

// As libc, the driver's own library or the kernel's files say. NVIDIA's library may take half a
// second at first. `root`: "", or where files are looked for in its stead.
struct vk_last_cache vk_last_cache(const struct vk_facts *facts, const char *root);

#endif
