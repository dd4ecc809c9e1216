// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes a software device look like a GPU with its own memory, where buffers
// are not host-visible and mapping requires a copy.
//
// All memory types are one of the driver's; mapping memory that would not be host-visible on such a
// GPU ends the process. DISGUISE_SKEW_NS: host and device clocks are correlated alternately too
// early and too late by this time. DISGUISE_DRIVER: the driver id that it reports.
// DISGUISE_AT_ONCE: MiB that it reports as the maximum allocation; the actual maximum is 1.5 times
// as much. DISGUISE_SILENT: while it is not 0, nothing is done, nothing answers, and a call that
// destroys a buffer ends the process.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include "vulkan/vk.h"

#define EXPORT __attribute__((visibility("default")))

enum { DEVICES = 64, HIDDEN = 4096, TYPES = 4, IMPORTABLE = 1 << 1 | 1 << 2 };

struct next {
    void *key;     // the loader's dispatch table, the same for all handles of a device
    VkDevice device;
    uint32_t type; // the driver's type that is used for all simulated ones
    PFN_vkGetDeviceProcAddr get;
};

static struct next devices[DEVICES];
static atomic_uint device_count;
static PFN_vkGetInstanceProcAddr next_get;

#define OF_INSTANCE(ROW)                                                                           \
    ROW(CreateDevice)                                                                              \
    ROW(GetPhysicalDeviceProperties)                                                               \
    ROW(GetPhysicalDeviceProperties2)                                                              \
    ROW(GetPhysicalDeviceMemoryProperties)                                                         \
    ROW(GetPhysicalDeviceMemoryProperties2)
#define NEXT(name) static PFN_vk##name next_##name;
OF_INSTANCE(NEXT)
#undef NEXT

static struct next *next_of(void *handle)
{
    for (unsigned i = atomic_load(&device_count); i-- > 0;)
        if (devices[i].key == *(void **)handle)
            return &devices[i];
    abort();
}

#define CALL(handle, name) ((PFN_vk##name)(void *)next_of(handle)->get(next_of(handle)->device, "vk" #name))

// ---- properties ---------------------------------------------------------------------------------

// Its caches must not be mixed up with those of the real driver.
static void disguise_properties(VkPhysicalDeviceProperties *properties)
{
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    properties->pipelineCacheUUID[0] ^= 0xff;
}

static unsigned long long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : 0;
}

static void disguise_driver(void *chain, VkDriverId driver)
{
    for (VkBaseOutStructure *at = chain; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES)
            ((VkPhysicalDeviceVulkan12Properties *)at)->driverID = driver;
        else if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
            ((VkPhysicalDeviceDriverProperties *)at)->driverID = driver;
}

static VkDeviceSize at_once(void)
{
    return number_of("DISGUISE_AT_ONCE") << 20;
}

static void disguise_at_once(void *chain)
{
    for (VkBaseOutStructure *at = chain; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            ((VkPhysicalDeviceVulkan11Properties *)at)->maxMemoryAllocationSize = at_once();
}

static void disguise_memory(VkPhysicalDeviceMemoryProperties *memory)
{
    static const VkMemoryType types[TYPES] = {
        {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0},
        {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 1},
        {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
             VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
         1},
        {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
         0},
    };
    memory->memoryTypeCount = TYPES;
    memcpy(memory->memoryTypes, types, sizeof types);
    memory->memoryHeapCount = 2;
    memory->memoryHeaps[1] = memory->memoryHeaps[0];
    memory->memoryHeaps[1].flags = 0;
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties(VkPhysicalDevice physical,
                                                         VkPhysicalDeviceProperties *out)
{
    next_GetPhysicalDeviceProperties(physical, out);
    disguise_properties(out);
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                                          VkPhysicalDeviceProperties2 *out)
{
    next_GetPhysicalDeviceProperties2(physical, out);
    disguise_properties(&out->properties);
    if (number_of("DISGUISE_DRIVER"))
        disguise_driver(out->pNext, (VkDriverId)number_of("DISGUISE_DRIVER"));
    if (at_once())
        disguise_at_once(out->pNext);
}

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *out)
{
    next_GetPhysicalDeviceMemoryProperties(physical, out);
    disguise_memory(out);
}

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    next_GetPhysicalDeviceMemoryProperties2(physical, out);
    disguise_memory(&out->memoryProperties);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = out->pNext;
    if (budget && budget->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
        budget->heapBudget[1] = budget->heapBudget[0];
        budget->heapUsage[1] = budget->heapUsage[0];
    }
}

// ---- its memory ---------------------------------------------------------------------------------

static VkDeviceMemory hidden[HIDDEN];
static pthread_mutex_t hidden_lock = PTHREAD_MUTEX_INITIALIZER;

static bool hide(VkDeviceMemory from, VkDeviceMemory to)
{
    bool found = false;
    pthread_mutex_lock(&hidden_lock);
    for (int i = 0; i < HIDDEN && !found; i++)
        if ((found = hidden[i] == from))
            hidden[i] = to;
    pthread_mutex_unlock(&hidden_lock);
    return found;
}

static void must_be_visible(VkDeviceMemory memory)
{
    if (!hide(memory, memory))
        return;
    fprintf(stderr, "disguise: memory is mapped that the host does not see\n");
    abort();
}

static VkResult VKAPI_CALL layer_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *own,
                                                VkDeviceMemory *out)
{
    VkMemoryAllocateInfo real = *info;
    real.memoryTypeIndex = next_of(device)->type;
    if (at_once() && info->allocationSize > at_once() / 2 * 3)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult result = CALL(device, AllocateMemory)(device, &real, own, out);
    if (result == VK_SUCCESS && info->memoryTypeIndex == 0 && !hide(VK_NULL_HANDLE, *out))
        abort();
    return result;
}

static void VKAPI_CALL layer_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                        const VkAllocationCallbacks *own)
{
    if (memory)
        hide(memory, VK_NULL_HANDLE);
    CALL(device, FreeMemory)(device, memory, own);
}

static VkResult VKAPI_CALL layer_MapMemory(VkDevice device, VkDeviceMemory memory,
                                           VkDeviceSize offset, VkDeviceSize size,
                                           VkMemoryMapFlags flags, void **out)
{
    must_be_visible(memory);
    return CALL(device, MapMemory)(device, memory, offset, size, flags, out);
}

static void VKAPI_CALL layer_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                         VkMemoryRequirements *out)
{
    CALL(device, GetBufferMemoryRequirements)(device, buffer, out);
    out->memoryTypeBits = (1 << TYPES) - 1;
}

static void VKAPI_CALL layer_GetImageMemoryRequirements(VkDevice device, VkImage image,
                                                        VkMemoryRequirements *out)
{
    CALL(device, GetImageMemoryRequirements)(device, image, out);
    out->memoryTypeBits = (1 << TYPES) - 1;
}

static VkResult VKAPI_CALL
layer_GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
                                        const void *pointer, VkMemoryHostPointerPropertiesEXT *out)
{
    VkResult result = CALL(device, GetMemoryHostPointerPropertiesEXT)(device, type, pointer, out);
    out->memoryTypeBits = IMPORTABLE;
    return result;
}

static VkResult VKAPI_CALL layer_GetCalibratedTimestampsEXT(
    VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT *info, uint64_t *stamps,
    uint64_t *deviation)
{
    static atomic_uint calls;
    const char *skew = getenv("DISGUISE_SKEW_NS");
    VkResult result =
        CALL(device, GetCalibratedTimestampsEXT)(device, count, info, stamps, deviation);
    long by = skew ? atol(skew) : 0;
    if (atomic_fetch_add(&calls, 1) % 2)
        by = -by;
    for (uint32_t i = 0; i < count; i++)
        if (info[i].timeDomain != VK_TIME_DOMAIN_DEVICE_EXT)
            stamps[i] += (uint64_t)by;
    return result;
}

// ---- a renderer that ends -----------------------------------------------------------------------

static bool is_silent(void) { return number_of("DISGUISE_SILENT") != 0; }

static VkResult VKAPI_CALL layer_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *info, VkFence fence)
{
    return is_silent() ? VK_SUCCESS : CALL(queue, QueueSubmit2)(queue, count, info, fence);
}

static void VKAPI_CALL layer_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heap, uint32_t local, uint32_t remote,
                                                              VkPeerMemoryFeatureFlags *features)
{
    while (is_silent())
        usleep(1000);
    CALL(device, GetDeviceGroupPeerMemoryFeatures)(device, heap, local, remote, features);
}

static void VKAPI_CALL layer_DestroyBuffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *own)
{
    if (is_silent())
        abort();
    CALL(device, DestroyBuffer)(device, buffer, own);
}

// ---- the chain ----------------------------------------------------------------------------------

static void *link_of(const void *chain, VkStructureType type)
{
    for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
        const VkLayerInstanceCreateInfo *info = (const void *)at; // a device's struct has the same
                                                                  // beginning
        if (at->sType == type && info->function == VK_LAYER_LINK_INFO)
            return (void *)(uintptr_t)at;
    }
    return NULL;
}

static VkResult VKAPI_CALL layer_CreateInstance(const VkInstanceCreateInfo *info,
                                                const VkAllocationCallbacks *own, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link =
        link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    next_get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)(void *)next_get(NULL, "vkCreateInstance");
    VkResult result = create(info, own, out);
    if (result != VK_SUCCESS)
        return result;
#define NEXT(name) next_##name = (PFN_vk##name)(void *)next_get(*out, "vk" #name);
    OF_INSTANCE(NEXT)
#undef NEXT
    return VK_SUCCESS;
}

// The driver's memory type that is used for all simulated ones.
static uint32_t real_type(VkPhysicalDevice physical)
{
    const VkMemoryPropertyFlags all =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    next_GetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((memory.memoryTypes[i].propertyFlags & all) == all)
            return i;
    abort();
}

static VkResult VKAPI_CALL layer_CreateDevice(VkPhysicalDevice physical,
                                              const VkDeviceCreateInfo *info,
                                              const VkAllocationCallbacks *own, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link =
        link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = next_CreateDevice(physical, info, own, out);
    unsigned count = atomic_load(&device_count);
    if (result != VK_SUCCESS)
        return result;
    if (count == DEVICES)
        abort();
    devices[count] = (struct next){*(void **)*out, *out, real_type(physical), get};
    atomic_store(&device_count, count + 1);
    return VK_SUCCESS;
}

static void VKAPI_CALL layer_DestroyDevice(VkDevice device, const VkAllocationCallbacks *own)
{
    PFN_vkDestroyDevice destroy = CALL(device, DestroyDevice);
    next_of(device)->key = NULL;
    destroy(device, own);
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name);

struct row {
    const char *name;
    PFN_vkVoidFunction fn;
};

#define ROW(name) {"vk" #name, (PFN_vkVoidFunction)(void *)layer_##name},
static const struct row of_instance[] = {
    ROW(CreateInstance) ROW(GetInstanceProcAddr) OF_INSTANCE(ROW){NULL, NULL},
};
static const struct row of_device[] = {
    ROW(GetDeviceProcAddr) ROW(DestroyDevice) ROW(AllocateMemory) ROW(FreeMemory) ROW(MapMemory)
        ROW(GetBufferMemoryRequirements) ROW(GetImageMemoryRequirements)
            ROW(GetMemoryHostPointerPropertiesEXT) ROW(GetCalibratedTimestampsEXT)
                ROW(QueueSubmit2) ROW(GetDeviceGroupPeerMemoryFeatures) ROW(DestroyBuffer){NULL, NULL},
};

static PFN_vkVoidFunction find(const struct row *row, const char *name)
{
    while (row->name && strcmp(row->name, name))
        row++;
    return row->fn;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    PFN_vkVoidFunction next = instance && next_get ? next_get(instance, name) : NULL;
    PFN_vkVoidFunction own = find(of_instance, name);
    if (own)
        return own;
    own = find(of_device, name);
    return next && own ? own : next;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction next = next_of(device)->get(device, name), own = find(of_device, name);
    return next && own ? own : next; // functions that the driver lacks are not added
}

EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer);

EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer)
{
    offer->loaderLayerInterfaceVersion = 2;
    offer->pfnGetInstanceProcAddr = layer_GetInstanceProcAddr;
    offer->pfnGetDeviceProcAddr = layer_GetDeviceProcAddr;
    offer->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
