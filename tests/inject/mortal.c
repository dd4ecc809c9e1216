// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes any driver destroy itself in an exit handler, as some drivers do.
//
// No thread may be inside a call when the handler runs, and none may call a function afterwards or
// access memory that was mapped: otherwise the process ends with status 99, or by a signal.
// MORTAL_SLOW: duration of submissions, compilations and allocations in milliseconds, so that the
// end interrupts them. MORTAL_LATE: registers the handler again at each submission and compilation,
// as a driver does whose compiler is initialised step by step.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include "vulkan/vk.h"

#define EXPORT __attribute__((visibility("default")))

enum { GONE_US = 300000, ALLOCATIONS = 4096, PAGE = 4096 };

static atomic_int inside;
static atomic_bool gone;
static useconds_t slow_us;
static PFN_vkGetInstanceProcAddr next_get;
static PFN_vkGetDeviceProcAddr next_get_of_device;
static PFN_vkCreateDevice next_CreateDevice;
#define CALL(name, lost, parameters, arguments) static PFN_vk##name next_##name;
#include "calls.def"
#define OTHER(type, name, parameters, arguments) static PFN_vk##name next_##name;
#include "others.def"

static void complain(const char *what, const char *name)
{
    char text[128];
    int size = snprintf(text, sizeof text, "%s vk%s\n", what, name);
    if (write(2, text, (size_t)size) != size)
        abort();
    _exit(99);
}

static void go(void);

static void register_late(void)
{
    if (getenv("MORTAL_LATE"))
        atexit(go);
}

static const char *enter(const char *name)
{
    atomic_fetch_add(&inside, 1);
    if (atomic_load(&gone))
        complain("the driver is gone:", name);
    if (!strcmp(name, "QueueSubmit2") || !strcmp(name, "CreateComputePipelines"))
        register_late();
    if (slow_us && (!strcmp(name, "QueueSubmit2") || !strcmp(name, "AllocateMemory") ||
                    !strcmp(name, "CreateComputePipelines")))
        usleep(slow_us);
    return name;
}

static void leave(const char *const *name)
{
    atomic_fetch_sub(&inside, 1);
    if (atomic_load(&gone))
        complain("the driver went away inside", *name);
}

#define INSIDE(name)                                                                               \
    const char *const mark __attribute__((cleanup(leave), unused)) = enter(#name)
#define CALL(name, lost, parameters, arguments)                                                    \
    static VkResult VKAPI_CALL layer_##name parameters                                             \
    {                                                                                              \
        INSIDE(name);                                                                              \
        return next_##name arguments;                                                              \
    }
#include "calls.def"
#define OTHER(type, name, parameters, arguments)                                                   \
    static type VKAPI_CALL layer_##name parameters                                                 \
    {                                                                                              \
        INSIDE(name);                                                                              \
        return next_##name arguments;                                                              \
    }
#include "others.def"

// Functions of the instance that are called after the start.
#define OF_INSTANCE(CALL)                                                                          \
    CALL(void, GetPhysicalDeviceFormatProperties2,                                                 \
         (VkPhysicalDevice device, VkFormat format, VkFormatProperties2 * all),                    \
         (device, format, all))                                                                    \
    CALL(void, GetPhysicalDeviceMemoryProperties2,                                                 \
         (VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 * all), (device, all))        \
    CALL(VkResult, GetPhysicalDeviceImageFormatProperties,                                         \
         (VkPhysicalDevice device, VkFormat format, VkImageType type, VkImageTiling tiling,        \
          VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties * limits),    \
         (device, format, type, tiling, usage, flags, limits))
#define WRAP(type, name, parameters, arguments)                                                    \
    static PFN_vk##name next_##name;                                                               \
    static type VKAPI_CALL layer_##name parameters                                                 \
    {                                                                                              \
        INSIDE(name);                                                                              \
        return next_##name arguments;                                                              \
    }
OF_INSTANCE(WRAP)

// ---- mapped memory ------------------------------------------------------------------------------

static struct allocation {
    _Atomic(VkDeviceMemory) memory;
    VkDeviceSize size;
    _Atomic(uintptr_t) at; // 0: not mapped
} allocations[ALLOCATIONS];

static VkResult VKAPI_CALL noted_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *own,
                                                VkDeviceMemory *out)
{
    VkResult result = layer_AllocateMemory(device, info, own, out);
    for (int i = 0; i < ALLOCATIONS && result == VK_SUCCESS; i++) {
        VkDeviceMemory none = VK_NULL_HANDLE;
        if (!atomic_compare_exchange_strong(&allocations[i].memory, &none, *out))
            continue;
        allocations[i].size = info->allocationSize;
        break;
    }
    return result;
}

static struct allocation *find(VkDeviceMemory memory)
{
    for (int i = 0; i < ALLOCATIONS; i++)
        if (memory && atomic_load(&allocations[i].memory) == memory)
            return &allocations[i];
    return NULL;
}

static void note_map(VkDeviceMemory memory, VkResult result, void *const *out)
{
    struct allocation *allocation = find(memory);
    if (allocation && result == VK_SUCCESS)
        atomic_store(&allocation->at, (uintptr_t)*out);
}

static VkResult VKAPI_CALL noted_MapMemory(VkDevice device, VkDeviceMemory memory,
                                           VkDeviceSize offset, VkDeviceSize size,
                                           VkMemoryMapFlags flags, void **out)
{
    VkResult result = layer_MapMemory(device, memory, offset, size, flags, out);
    note_map(memory, result, out);
    return result;
}

static VkResult VKAPI_CALL noted_MapMemory2KHR(VkDevice device, const VkMemoryMapInfoKHR *info,
                                               void **out)
{
    VkResult result = layer_MapMemory2KHR(device, info, out);
    note_map(info->memory, result, out);
    return result;
}

static void VKAPI_CALL noted_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                        const VkAllocationCallbacks *own)
{
    struct allocation *allocation = find(memory);
    if (allocation) {
        atomic_store(&allocation->at, 0);
        atomic_store(&allocation->memory, VK_NULL_HANDLE);
    }
    layer_FreeMemory(device, memory, own);
}

// ---- the end ------------------------------------------------------------------------------------

static void go(void)
{
    if (atomic_exchange(&gone, true))
        return;
    int left = atomic_load(&inside);
    if (left)
        complain("at the end a call is inside the driver, one of", "...");
    for (int i = 0; i < ALLOCATIONS; i++) {
        uintptr_t begin = (atomic_load(&allocations[i].at) + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
        uintptr_t end =
            (atomic_load(&allocations[i].at) + allocations[i].size) & ~(uintptr_t)(PAGE - 1);
        if (atomic_load(&allocations[i].at) && end > begin)
            mprotect((void *)begin, end - begin, PROT_NONE);
    }
    usleep(GONE_US); // time for other threads to call in
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
    next_CreateDevice = (PFN_vkCreateDevice)(void *)next_get(*out, "vkCreateDevice");
#define NEXT(type, name, parameters, arguments)                                                    \
    next_##name = (PFN_vk##name)(void *)next_get(*out, "vk" #name);
    OF_INSTANCE(NEXT)
    return VK_SUCCESS;
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
    if (result != VK_SUCCESS)
        return result;
    const char *slow = getenv("MORTAL_SLOW");
    slow_us = slow ? 1000 * (useconds_t)atoi(slow) : 0;
    next_get_of_device = get;
#define CALL(name, lost, parameters, arguments)                                                    \
    next_##name = (PFN_vk##name)(void *)get(*out, "vk" #name);
#include "calls.def"
#define OTHER(type, name, parameters, arguments)                                                   \
    next_##name = (PFN_vk##name)(void *)get(*out, "vk" #name);
#include "others.def"
    atexit(go);
    return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name);

static const struct row {
    const char *name;
    PFN_vkVoidFunction fn;
} of_instance[] = {
#define ROW(layer, name) {"vk" #name, (PFN_vkVoidFunction)(void *)layer##_##name},
#define WRAPPED(type, name, parameters, arguments) ROW(layer, name)
    ROW(layer, CreateInstance) ROW(layer, CreateDevice) ROW(layer, GetInstanceProcAddr)
        OF_INSTANCE(WRAPPED)},
  of_device[] = {
      ROW(layer, GetDeviceProcAddr) ROW(noted, AllocateMemory) ROW(noted, FreeMemory)
      ROW(noted, MapMemory) ROW(noted, MapMemory2KHR)
#define CALL(name, lost, parameters, arguments) ROW(layer, name)
#include "calls.def"
#define OTHER(type, name, parameters, arguments) ROW(layer, name)
#include "others.def"
};

// All functions that the runtime calls.
#define PROC(name) (void *)layer_##name,
#define PROC_OPTIONAL(name) (void *)layer_##name,
static void *const all_of_ours[] __attribute__((unused)) = {
#include "vulkan/procs.def"
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static PFN_vkVoidFunction find_row(const struct row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].fn;
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    PFN_vkVoidFunction own = find_row(of_instance, COUNT(of_instance), name);
    return own ? own : instance && next_get ? next_get(instance, name) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction next = next_get_of_device(device, name);
    PFN_vkVoidFunction own = find_row(of_device, COUNT(of_device), name);
    return next && own ? own : next; // functions that the driver lacks are not added
}

EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer);

EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer)
{
    offer->loaderLayerInterfaceVersion = 2;
    offer->pfnGetInstanceProcAddr = layer_GetInstanceProcAddr;
    offer->pfnGetDeviceProcAddr = layer_GetDeviceProcAddr;
    offer->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
