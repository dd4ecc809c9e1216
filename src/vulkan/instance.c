// SPDX-License-Identifier: Apache-2.0
// The Vulkan loader -> a VkInstance with its functions; with validation if PUMICE_VALIDATE is set.
#include "vulkan/instance.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/options.h"
#include "vulkan/loader.h"

enum { LAYERS_MAX = 64 };

static atomic_uint validation_errors;

static const struct {
    VkResult result;
    const char *name;
} result_names[] = {
#define ROW(r) {r, #r},
    ROW(VK_SUCCESS) ROW(VK_NOT_READY) ROW(VK_TIMEOUT) ROW(VK_INCOMPLETE)
        ROW(VK_ERROR_OUT_OF_HOST_MEMORY) ROW(VK_ERROR_OUT_OF_DEVICE_MEMORY)
            ROW(VK_ERROR_INITIALIZATION_FAILED) ROW(VK_ERROR_DEVICE_LOST)
                ROW(VK_ERROR_MEMORY_MAP_FAILED) ROW(VK_ERROR_LAYER_NOT_PRESENT)
                    ROW(VK_ERROR_EXTENSION_NOT_PRESENT) ROW(VK_ERROR_FEATURE_NOT_PRESENT)
                        ROW(VK_ERROR_INCOMPATIBLE_DRIVER) ROW(VK_ERROR_TOO_MANY_OBJECTS)
                            ROW(VK_ERROR_FORMAT_NOT_SUPPORTED) ROW(VK_ERROR_UNKNOWN)
                                ROW(VK_ERROR_OUT_OF_POOL_MEMORY)
                                    ROW(VK_ERROR_INVALID_EXTERNAL_HANDLE)
                                        ROW(VK_ERROR_FRAGMENTATION)
                                            ROW(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
#undef ROW
};

const char *vk_result_name(VkResult result)
{
    for (size_t i = 0; i < sizeof result_names / sizeof result_names[0]; i++)
        if (result_names[i].result == result)
            return result_names[i].name;
    return "an unknown VkResult";
}

unsigned vk_validation_errors(void)
{
    return atomic_load(&validation_errors);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    (void)types, (void)user;
    if (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
        atomic_fetch_add(&validation_errors, 1);
    log_warn("validation: %s", data->pMessage);
    return VK_FALSE;
}

static bool layer_exists(const char *name)
{
    PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)vk_loader_function(
            NULL, "vkEnumerateInstanceLayerProperties");
    uint32_t count = LAYERS_MAX;
    VkLayerProperties *layers = calloc(count, sizeof *layers); // too large for small stacks
    bool found = false;
    if (layers && enumerate && enumerate(&count, layers) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= !strcmp(layers[i].layerName, name);
    free(layers);
    return found;
}

static bool load_functions(struct vk_instance *instance)
{
    struct vk_instance_functions *fn = &instance->fn;
#define LOAD(name)                                                                                 \
    if (!(fn->name = (PFN_vk##name)vk_loader_function(instance->handle, "vk" #name)))              \
        return false;
    VK_INSTANCE_PROCS(LOAD)
#undef LOAD
    fn->GetPhysicalDeviceCalibrateableTimeDomainsEXT =
        (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)vk_loader_function(
            instance->handle, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
    fn->GetPhysicalDeviceCooperativeMatrixPropertiesKHR =
        (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)vk_loader_function(
            instance->handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    fn->CreateDebugUtilsMessengerEXT =
        (PFN_vkCreateDebugUtilsMessengerEXT)vk_loader_function(
            instance->handle, "vkCreateDebugUtilsMessengerEXT");
    return true;
}

static void listen(struct vk_instance *instance)
{
    VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };
    VkDebugUtilsMessengerEXT messenger; // lives as long as the instance, which is never destroyed
    if (instance->fn.CreateDebugUtilsMessengerEXT)
        instance->fn.CreateDebugUtilsMessengerEXT(instance->handle, &info, NULL, &messenger);
}

VkResult vk_instance_create(struct vk_instance *instance)
{
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const utils = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    bool validate = option_on(OPTION_VALIDATE);
    const char *missing = vk_loader_open();
    if (missing) {
        log_write(LOG_VULKAN, "no Vulkan loader: %s", missing);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (validate && !layer_exists(layer)) {
        log_warn("PUMICE_VALIDATE: %s is not installed", layer);
        validate = false;
    }
    const char *extensions[2] = {VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME, utils};
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pEngineName = "Pumice",
        .apiVersion = VK_API_VERSION_1_3,
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR,
        .pApplicationInfo = &application,
        .enabledLayerCount = validate,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = 1 + validate,
        .ppEnabledExtensionNames = extensions,
    };
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)vk_loader_function(NULL, "vkCreateInstance");
    VkResult result =
        create ? create(&info, NULL, &instance->handle) : VK_ERROR_INITIALIZATION_FAILED;
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT) { // a loader without portability enumeration
        info.flags = 0;
        info.enabledExtensionCount = validate;
        info.ppEnabledExtensionNames = &utils;
        result = create(&info, NULL, &instance->handle);
    }
    if (result != VK_SUCCESS) {
        log_write(LOG_VULKAN, "vkCreateInstance: %s", vk_result_name(result));
        return result == VK_ERROR_OUT_OF_HOST_MEMORY ? result : VK_ERROR_INITIALIZATION_FAILED;
    }
    instance->validating = validate;
    if (!load_functions(instance)) {
        log_write(LOG_VULKAN, "the Vulkan loader is older than 1.1");
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (validate)
        listen(instance);
    return VK_SUCCESS;
}
