// SPDX-License-Identifier: Apache-2.0
// The VkInstance of the process and its functions. For src/vulkan only.
#ifndef PUMICE_VULKAN_INSTANCE_H
#define PUMICE_VULKAN_INSTANCE_H

#include "vulkan/vk.h"

#define VK_INSTANCE_PROCS(PROC)                                                                    \
    PROC(DestroyInstance)                                                                          \
    PROC(EnumeratePhysicalDevices)                                                                 \
    PROC(EnumerateDeviceExtensionProperties)                                                       \
    PROC(GetPhysicalDeviceProperties)                                                              \
    PROC(GetPhysicalDeviceProperties2)                                                             \
    PROC(GetPhysicalDeviceFeatures2)                                                               \
    PROC(GetPhysicalDeviceMemoryProperties)                                                        \
    PROC(GetPhysicalDeviceMemoryProperties2)                                                       \
    PROC(GetPhysicalDeviceQueueFamilyProperties)                                                   \
    PROC(GetPhysicalDeviceFormatProperties2)                                                       \
    PROC(GetPhysicalDeviceImageFormatProperties)                                                   \
    PROC(GetPhysicalDeviceImageFormatProperties2)                                                  \
    PROC(GetPhysicalDeviceExternalBufferProperties)                                                \
    PROC(GetPhysicalDeviceExternalSemaphoreProperties)                                             \
    PROC(GetDeviceProcAddr)                                                                        \
    PROC(CreateDevice)

struct vk_instance_functions {
#define VK_PROC_MEMBER(name) PFN_vk##name name;
    VK_INSTANCE_PROCS(VK_PROC_MEMBER)
#undef VK_PROC_MEMBER
    // From extensions: NULL if absent.
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT GetPhysicalDeviceCalibrateableTimeDomainsEXT;
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR
        GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
    PFN_vkCreateDebugUtilsMessengerEXT CreateDebugUtilsMessengerEXT;
};

struct vk_instance {
    VkInstance handle;
    bool validating; // PUMICE_VALIDATE has enabled the validation layer
    struct vk_instance_functions fn;
};

// Creates the instance. VK_ERROR_INITIALIZATION_FAILED if there is no driver.
VkResult vk_instance_create(struct vk_instance *instance);

// Validation errors so far (PUMICE_VALIDATE); tests require 0.
unsigned vk_validation_errors(void);

// Reports words in PUMICE_WITHOUT that are not feature names.
void vk_facts_check_options(void);

// Fills handle and facts. VK_ERROR_FEATURE_NOT_PRESENT if the device lacks something required;
// `refused` says what, and the facts contain at least name and type.
VkResult vk_facts_fill(const struct vk_instance *instance, VkPhysicalDevice handle,
                       struct vk_physical *physical);

// Creates a VkDevice with all features and extensions in the facts, and queues of equal priority.
VkResult vk_facts_create_device(const struct vk_instance *instance,
                                const struct vk_physical *physical, uint32_t queue_count,
                                uint32_t copy_queue_count, VkDevice *device);

#endif
