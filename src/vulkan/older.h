// SPDX-License-Identifier: Apache-2.0
// Properties of devices older than Vulkan 1.3, put where the structs of 1.2 and 1.3 have them.
//
// Those structs exist from Vulkan 1.2 and 1.3 on. Before, what they hold comes in single structs, of
// Vulkan 1.1 or of extensions; what no one tells is the least that a device may have.
#ifndef PUMICE_VULKAN_OLDER_H
#define PUMICE_VULKAN_OLDER_H

#include "vulkan/device.h"

struct vk_older {
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroups;
    VkPhysicalDeviceMaintenance3Properties allocation;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceFloatControlsProperties floats;
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes;
    VkPhysicalDeviceShaderIntegerDotProductProperties dot_products;
    VkPhysicalDeviceMaintenance4Properties buffers;
};

// Hangs a struct behind the head of a chain.
void vk_chain(void *head, void *item);

// Chains what a device of the facts' version and features tells props11, props12 and props13 by.
void vk_older_chain(struct vk_older *older, struct vk_facts *facts,
                    VkPhysicalDeviceProperties2 *all);
// After the device has been asked: fills those three. `older` may go then.
void vk_older_read(const struct vk_older *older, struct vk_facts *facts);

#endif
