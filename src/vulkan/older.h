// SPDX-License-Identifier: Apache-2.0
// Copies properties of devices older than Vulkan 1.3 to the structs of Vulkan 1.2 and 1.3.
//
// On older devices these values are in separate structs of Vulkan 1.1 or of extensions; values that
// are not available are set to the minimum that a device must support.
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

// Inserts a struct after the head of a chain.
void vk_chain(void *head, void *item);

// Chains the structs that a device with this version and these features uses for the contents of
// props11, props12 and props13.
void vk_older_chain(struct vk_older *older, struct vk_facts *facts,
                    VkPhysicalDeviceProperties2 *all);
// Call after the query: fills those three. `older` is no longer needed then.
void vk_older_read(const struct vk_older *older, struct vk_facts *facts);

#endif
