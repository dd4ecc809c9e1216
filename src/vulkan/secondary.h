// SPDX-License-Identifier: Apache-2.0
// Secondary command buffers: recorded once, executed by others as often as wanted, also several times at once.
#ifndef PUMICE_VULKAN_SECONDARY_H
#define PUMICE_VULKAN_SECONDARY_H

#include "vulkan/device.h"

VkResult vk_secondary_create(struct vk_device *device, VkCommandPool pool, VkCommandBuffer *commands);
// Then recorded and ended as others are. What executes it must have ended.
VkResult vk_secondary_begin(struct vk_device *device, VkCommandBuffer commands);

#endif
