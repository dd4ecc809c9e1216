// SPDX-License-Identifier: Apache-2.0
#include "vulkan/secondary.h"

VkResult vk_secondary_create(struct vk_device *device, VkCommandPool pool, VkCommandBuffer *commands)
{
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    return vk_device_note(device, device->fn.AllocateCommandBuffers(device->handle, &info, commands),
                          "allocating a secondary command buffer");
}

VkResult vk_secondary_begin(struct vk_device *device, VkCommandBuffer commands)
{
    VkCommandBufferInheritanceInfo none = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &none,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.BeginCommandBuffer(commands, &info);
    return vk_device_note(device, result, "beginning a secondary command buffer");
}
