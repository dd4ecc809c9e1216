// SPDX-License-Identifier: Apache-2.0
// A layer whose waits for one of several timelines sleep, as on most GPU drivers but not on the
// software driver.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

enum { LOOK_US = 20 };

static PFN_vkGetInstanceProcAddr next_get;
static PFN_vkGetDeviceProcAddr next_get_of_device; // one device at a time
static PFN_vkWaitSemaphores next_wait;
static PFN_vkGetSemaphoreCounterValue next_value;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static VkResult VKAPI_CALL layer_WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t ns)
{
    uint64_t begin = now_ns(), value = 0;
    if (!(info->flags & VK_SEMAPHORE_WAIT_ANY_BIT))
        return next_wait(device, info, ns);
    for (;;) {
        for (uint32_t i = 0; i < info->semaphoreCount; i++) {
            VkResult result = next_value(device, info->pSemaphores[i], &value);
            if (result != VK_SUCCESS || value >= info->pValues[i])
                return result;
        }
        if (now_ns() - begin >= ns)
            return VK_TIMEOUT;
        usleep(LOOK_US);
    }
}

static VkLayerDeviceLink *advance(const void *chain)
{
    for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
        VkLayerDeviceCreateInfo *info = (VkLayerDeviceCreateInfo *)(uintptr_t)at;
        if (at->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || info->function != VK_LAYER_LINK_INFO)
            continue;
        VkLayerDeviceLink *link = info->u.pLayerInfo;
        info->u.pLayerInfo = link->pNext;
        return link;
    }
    return NULL;
}

static VkResult VKAPI_CALL layer_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *own, VkInstance *out)
{
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        VkLayerInstanceCreateInfo *mine = (VkLayerInstanceCreateInfo *)(uintptr_t)at;
        if (at->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || mine->function != VK_LAYER_LINK_INFO)
            continue;
        next_get = mine->u.pLayerInfo->pfnNextGetInstanceProcAddr;
        mine->u.pLayerInfo = mine->u.pLayerInfo->pNext;
        return ((PFN_vkCreateInstance)(void *)next_get(NULL, "vkCreateInstance"))(info, own, out);
    }
    return VK_ERROR_INITIALIZATION_FAILED;
}

static VkResult VKAPI_CALL layer_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                              const VkAllocationCallbacks *own, VkDevice *out)
{
    VkLayerDeviceLink *link = advance(info->pNext);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)(void *)link->pfnNextGetInstanceProcAddr(NULL, "vkCreateDevice");
    next_get_of_device = link->pfnNextGetDeviceProcAddr;
    VkResult result = create(physical, info, own, out);
    if (result != VK_SUCCESS)
        return result;
    next_wait = (PFN_vkWaitSemaphores)(void *)next_get_of_device(*out, "vkWaitSemaphores");
    next_value = (PFN_vkGetSemaphoreCounterValue)(void *)next_get_of_device(*out, "vkGetSemaphoreCounterValue");
    return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    if (!strncmp(name, "vkWaitSemaphores", 16))
        return (PFN_vkVoidFunction)(void *)layer_WaitSemaphores;
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)(void *)layer_GetDeviceProcAddr;
    return next_get_of_device ? next_get_of_device(device, name) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance, const char *name)
{
    if (!strcmp(name, "vkCreateInstance"))
        return (PFN_vkVoidFunction)(void *)layer_CreateInstance;
    if (!strcmp(name, "vkCreateDevice"))
        return (PFN_vkVoidFunction)(void *)layer_CreateDevice;
    if (!strcmp(name, "vkGetInstanceProcAddr"))
        return (PFN_vkVoidFunction)(void *)layer_GetInstanceProcAddr;
    return instance && next_get ? next_get(instance, name) : NULL;
}

__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *it)
{
    it->loaderLayerInterfaceVersion = 2;
    it->pfnGetInstanceProcAddr = layer_GetInstanceProcAddr;
    it->pfnGetDeviceProcAddr = layer_GetDeviceProcAddr;
    it->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
