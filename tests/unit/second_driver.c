// SPDX-License-Identifier: Apache-2.0
// A Vulkan driver that is another one (SECOND_DRIVER_OF names its library) under a different name and driver id, for the notes
// of pumice-info: one GPU that two drivers offer.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>
#include <vulkan/vk_icd.h>

#define EXPORT __attribute__((visibility("default")))

static PFN_vkGetInstanceProcAddr next_get;
static PFN_vkGetPhysicalDeviceProperties2 next_properties;

static void *next(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen(getenv("SECOND_DRIVER_OF"), RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *all)
{
    next_properties(device, all);
    for (VkBaseOutStructure *at = all->pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) {
            VkPhysicalDeviceVulkan12Properties *own = (VkPhysicalDeviceVulkan12Properties *)at;
            own->driverID = VK_DRIVER_ID_AMD_PROPRIETARY;
            strcpy(own->driverName, "second");
        }
}

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
    if (!next_get && !(next_get = (PFN_vkGetInstanceProcAddr)next("vk_icdGetInstanceProcAddr")))
        return NULL;
    PFN_vkVoidFunction found = next_get(instance, name);
    if (!found || (strcmp(name, "vkGetPhysicalDeviceProperties2") && strcmp(name, "vkGetPhysicalDeviceProperties2KHR")))
        return found;
    next_properties = (PFN_vkGetPhysicalDeviceProperties2)found;
    return (PFN_vkVoidFunction)properties;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    PFN_vkNegotiateLoaderICDInterfaceVersion negotiate =
        (PFN_vkNegotiateLoaderICDInterfaceVersion)next("vk_icdNegotiateLoaderICDInterfaceVersion");
    return negotiate ? negotiate(version) : VK_ERROR_INCOMPATIBLE_DRIVER;
}
