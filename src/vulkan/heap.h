// SPDX-License-Identifier: Apache-2.0
// What may be taken out of a device's heaps: counted here, because not every driver refuses.
//
// A heap gives no more than its size, than its budget where the driver tells one, and on CPU
// devices, whose heap is the machine's memory, than what is free there now.
#ifndef PUMICE_VULKAN_HEAP_H
#define PUMICE_VULKAN_HEAP_H

#include "vulkan/vk.h"

struct vk_heap {
    VkDeviceSize taken;
    // Of what there was when last asked: may be given out without asking again, for a short time.
    VkDeviceSize lease;
    uint64_t asked_ns;
};

// `heaps`: one for each of the device's; the caller keeps threads apart. Takes `size` bytes for a
// memory type. False: there is not so much, or that is not to be had without harm to others.
bool vk_heap_take(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size);
void vk_heap_give(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size);

#endif
