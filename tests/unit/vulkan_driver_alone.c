// SPDX-License-Identifier: Apache-2.0
// Without a Vulkan loader, a driver's library is used directly, as on macOS. Status 77: there is no
// software driver.
#include <stdio.h>

#include "platform/platform.h"

#undef LIBRARY_VULKAN
#define LIBRARY_VULKAN "libpumice_no_such_loader.so.1", "libvulkan_lvp.so"
#include "vulkan/loader.c"

static VkInstance create_instance(void)
{
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)vk_loader_function(NULL, "vkCreateInstance");
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance = NULL;
    return create && !create(&info, NULL, &instance) ? instance : NULL;
}

int main(void)
{
    if (!library_open("libvulkan_lvp.so"))
        return 77;
    if (vk_loader_open()) {
        printf("not opened: %s\n", vk_loader_open());
        return 1;
    }
    VkInstance instance = create_instance();
    PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)vk_loader_function(instance, "vkEnumeratePhysicalDevices");
    uint32_t count = 0;
    if (!instance || !enumerate || enumerate(instance, &count, NULL) || !count) {
        printf("instance %s, %u devices\n", instance ? "created" : "missing", count);
        return 1;
    }
    PFN_vkDestroyInstance destroy = (PFN_vkDestroyInstance)vk_loader_function(instance, "vkDestroyInstance");
    destroy(instance, NULL);
    return 0;
}
