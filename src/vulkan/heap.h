// SPDX-License-Identifier: Apache-2.0
// Limits the memory allocated from a device's heaps. We count it ourselves, because not every
// driver refuses too large allocations.
//
// The limit is the heap's size and, if the driver reports it, the budget. On CPU devices, whose
// heap is the machine's memory, it is also what is currently free there.
#ifndef PUMICE_VULKAN_HEAP_H
#define PUMICE_VULKAN_HEAP_H

#include "vulkan/vk.h"

struct vk_heap {
    VkDeviceSize allocated;
    // Part of the last known free memory that may be allocated without querying again, for a short
    // time.
    VkDeviceSize lease;
    uint64_t queried_ns;
};

// `heaps`: one for each heap of the device; the caller serializes access. Counts `size` bytes for a
// memory type. False: not available, or not without affecting other programs.
bool vk_heap_take(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size);
void vk_heap_give(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size);

#endif
