// SPDX-License-Identifier: Apache-2.0
// Secondary command buffers: recorded once, executed by primary ones any number of times, also
// concurrently.
#ifndef PUMICE_VULKAN_SECONDARY_H
#define PUMICE_VULKAN_SECONDARY_H

#include "vulkan/device.h"

VkResult vk_secondary_create(struct vk_device *device, VkCommandPool pool, VkCommandBuffer *commands);
// Begins recording; record and end as usual. Executions must have ended.
VkResult vk_secondary_begin(struct vk_device *device, VkCommandBuffer commands);

#endif
