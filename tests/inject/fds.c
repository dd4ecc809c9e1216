// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that adds semaphores that can be passed between APIs and processes by fds
// (VK_KHR_external_semaphore_fd).
//
// Every binary semaphore is an eventfd; a wait consumes what a signal has written. A submission
// waits for its semaphores before it is passed on to the driver, and signals when the driver has
// finished it. A wait without a signal within the time limit ends the program, and so do signalling
// a signalled semaphore and exporting a copy of an unsignalled one. If calls are made to fail as
// well (layer.c), a wait for a shared semaphore may be abandoned: the signal of the other side may
// have failed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#define EXPORT __attribute__((visibility("default")))
#define COUNT(table) (sizeof(table) / sizeof *(table))
#define EXTENSION VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME
#define OPAQUE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define SYNC VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT

enum { DEVICES = 64, SEMAPHORES = 4096, AT_ONCE = 256, PATIENCE_MS = 20000 };

#define DEVICE_CALLS(X) X(DestroyDevice) X(AllocateMemory) X(QueueSubmit) X(QueueSubmit2) X(QueueWaitIdle) X(CreateSemaphore) X(DestroySemaphore)

static struct next {
    void *key;
    PFN_vkGetDeviceProcAddr get;
#define MEMBER(name) PFN_vk##name name;
    DEVICE_CALLS(MEMBER)
} devices[DEVICES];
static atomic_uint device_count;
static PFN_vkGetInstanceProcAddr next_get;
static PFN_vkCreateDevice next_CreateDevice;
static PFN_vkEnumerateDeviceExtensionProperties next_EnumerateDeviceExtensionProperties;

static struct next *next_of(void *handle)
{
    void *key = *(void **)handle;
    for (unsigned i = atomic_load(&device_count); i-- > 0;)
        if (devices[i].key == key)
            return &devices[i];
    abort();
}

static void misused(const char *what)
{
    fprintf(stderr, "fds: %s\n", what);
    abort();
}

// ---- semaphores ---------------------------------------------------------------------------------

static struct semaphore {
    bool used, copied; // copied: `copy` is a payload for one wait, -1: signalled
    bool shared;       // the payload was imported or exported
    int payload, copy;
    VkExternalSemaphoreHandleTypeFlags exports;
} semaphores[SEMAPHORES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct semaphore *own(VkSemaphore handle)
{
    uintptr_t at = (uintptr_t)handle, begin = (uintptr_t)semaphores;
    return at >= begin && at < begin + sizeof semaphores ? (struct semaphore *)at : NULL;
}

static const void *struct_of(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static VkResult VKAPI_CALL layer_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo *type = struct_of(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    const VkExportSemaphoreCreateInfo *external = struct_of(info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    if (type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE)
        return next_of(device)->CreateSemaphore(device, info, allocator, out);
    int fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&lock);
    struct semaphore *at = semaphores;
    while (at < semaphores + SEMAPHORES && at->used)
        at++;
    if (at == semaphores + SEMAPHORES)
        misused("too many semaphores");
    *at = (struct semaphore){.used = true, .payload = fd, .exports = external ? external->handleTypes : 0};
    pthread_mutex_unlock(&lock);
    *out = (VkSemaphore)(uintptr_t)at;
    return VK_SUCCESS;
}

// lavapipe allocates memory that can be exported in several ways for opaque fds: as a dma_buf it
// would start with a header.
static VkResult VKAPI_CALL layer_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
    const VkExportMemoryAllocateInfo *exported = struct_of(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    VkExternalMemoryHandleTypeFlags *types = exported ? (VkExternalMemoryHandleTypeFlags *)&exported->handleTypes : NULL;
    VkExternalMemoryHandleTypeFlags asked = types ? *types : 0;
    if (asked & VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT)
        *types = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    VkResult result = next_of(device)->AllocateMemory(device, info, allocator, out);
    if (types)
        *types = asked;
    return result;
}

static void drop_copy(struct semaphore *semaphore)
{
    if (semaphore->copied && semaphore->copy >= 0)
        close(semaphore->copy);
    semaphore->copied = false;
}

static void VKAPI_CALL layer_DestroySemaphore(VkDevice device, VkSemaphore handle, const VkAllocationCallbacks *allocator)
{
    struct semaphore *semaphore = own(handle);
    if (!semaphore) {
        next_of(device)->DestroySemaphore(device, handle, allocator);
        return;
    }
    drop_copy(semaphore);
    close(semaphore->payload);
    pthread_mutex_lock(&lock);
    semaphore->used = false;
    pthread_mutex_unlock(&lock);
}

static bool is_eventfd(int fd)
{
    char path[64], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, name, sizeof name - 1) > 0 && strstr(name, "[eventfd]");
}

static VkResult VKAPI_CALL layer_ImportSemaphoreFdKHR(VkDevice device, const VkImportSemaphoreFdInfoKHR *info)
{
    struct semaphore *semaphore = own(info->semaphore);
    bool copied = info->handleType == SYNC;
    (void)device;
    if (!semaphore || (copied && !(info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT)))
        misused("an import that may not be");
    if (!is_eventfd(info->fd) && !(copied && info->fd == -1))
        return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    drop_copy(semaphore);
    semaphore->shared = true;
    if (copied) {
        semaphore->copied = true;
        semaphore->copy = info->fd;
    } else {
        close(semaphore->payload);
        semaphore->payload = info->fd;
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL layer_GetSemaphoreFdKHR(VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *out)
{
    struct semaphore *semaphore = own(info->semaphore);
    uint64_t value;
    (void)device;
    if (!semaphore || !(semaphore->exports & info->handleType))
        misused("an export of what was not made for it");
    semaphore->shared |= info->handleType == OPAQUE;
    if (info->handleType == OPAQUE)
        *out = fcntl(semaphore->payload, F_DUPFD_CLOEXEC, 0);
    else if (read(semaphore->payload, &value, sizeof value) != sizeof value)
        misused("a copy of what is not signalled");
    else
        *out = eventfd(1, EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK);
    return *out >= 0 ? VK_SUCCESS : VK_ERROR_TOO_MANY_OBJECTS;
}

static void wait_for(struct semaphore *semaphore)
{
    uint64_t value;
    bool patient = !semaphore->shared || !getenv("INJECT_FILE");
    int fd = semaphore->copied ? semaphore->copy : semaphore->payload;
    struct pollfd look = {.fd = fd, .events = POLLIN};
    while (fd >= 0 && read(fd, &value, sizeof value) != sizeof value) {
        if (poll(&look, 1, patient ? PATIENCE_MS : PATIENCE_MS / 4))
            continue;
        if (!patient)
            break;
        misused("a wait for what nobody signals");
    }
    drop_copy(semaphore);
}

static void signal(struct semaphore *semaphore)
{
    const uint64_t one = 1;
    struct pollfd look = {.fd = semaphore->payload, .events = POLLIN};
    if (poll(&look, 1, 0) > 0)
        misused("a signal of what is signalled");
    if (write(semaphore->payload, &one, sizeof one) != sizeof one)
        misused("an fd that is none");
}

// ---- submissions --------------------------------------------------------------------------------

static VkResult end(struct next *next, VkQueue queue, VkResult result, struct semaphore *const *list, uint32_t count)
{
    if (result == VK_SUCCESS && count)
        result = next->QueueWaitIdle(queue);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        signal(list[i]);
    return result;
}

// Removes the layer's semaphores from a list; returns the number of the others.
static uint32_t sort_infos(const VkSemaphoreSubmitInfo *from, uint32_t count, VkSemaphoreSubmitInfo *left,
                           struct semaphore **ours, uint32_t *our_count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (own(from[i].semaphore))
            ours[(*our_count)++] = own(from[i].semaphore);
        else
            left[kept++] = from[i];
    return kept;
}

static VkResult VKAPI_CALL layer_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence)
{
    struct next *next = next_of(queue);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        VkSemaphoreSubmitInfo before[AT_ONCE], after[AT_ONCE];
        struct semaphore *waits[AT_ONCE], *signals[AT_ONCE];
        uint32_t wait_count = 0, signal_count = 0;
        VkSubmitInfo2 one = infos[i];
        one.waitSemaphoreInfoCount =
            sort_infos(one.pWaitSemaphoreInfos, one.waitSemaphoreInfoCount, before, waits, &wait_count);
        one.signalSemaphoreInfoCount =
            sort_infos(one.pSignalSemaphoreInfos, one.signalSemaphoreInfoCount, after, signals, &signal_count);
        one.pWaitSemaphoreInfos = before;
        one.pSignalSemaphoreInfos = after;
        for (uint32_t w = 0; w < wait_count; w++)
            wait_for(waits[w]);
        result = next->QueueSubmit2(queue, 1, &one, i + 1 == count ? fence : VK_NULL_HANDLE);
        result = end(next, queue, result, signals, signal_count);
    }
    return count ? result : next->QueueSubmit2(queue, 0, NULL, fence);
}

// The same with a separate list of values, if there is one.
static uint32_t sort_handles(const VkSemaphore *from, const uint64_t *values, uint32_t count, VkSemaphore *left,
                             uint64_t *left_values, struct semaphore **ours, uint32_t *our_count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (own(from[i])) {
            ours[(*our_count)++] = own(from[i]);
            continue;
        }
        left_values[kept] = values ? values[i] : 0;
        left[kept++] = from[i];
    }
    return kept;
}

static VkResult submit_one(struct next *next, VkQueue queue, const VkSubmitInfo *info, VkFence fence)
{
    const VkTimelineSemaphoreSubmitInfo *given = struct_of(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    VkSemaphore before[AT_ONCE], after[AT_ONCE];
    uint64_t before_values[AT_ONCE], after_values[AT_ONCE];
    VkPipelineStageFlags stages[AT_ONCE];
    struct semaphore *waits[AT_ONCE], *signals[AT_ONCE];
    uint32_t wait_count = 0, signal_count = 0;
    VkSubmitInfo one = *info;
    one.waitSemaphoreCount = sort_handles(info->pWaitSemaphores, given ? given->pWaitSemaphoreValues : NULL,
                                          info->waitSemaphoreCount, before, before_values, waits, &wait_count);
    one.signalSemaphoreCount = sort_handles(info->pSignalSemaphores, given ? given->pSignalSemaphoreValues : NULL,
                                            info->signalSemaphoreCount, after, after_values, signals, &signal_count);
    for (uint32_t i = 0; i < one.waitSemaphoreCount; i++)
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = one.waitSemaphoreCount,
                                            .pWaitSemaphoreValues = before_values,
                                            .signalSemaphoreValueCount = one.signalSemaphoreCount,
                                            .pSignalSemaphoreValues = after_values};
    one.pNext = given ? &values : info->pNext;
    one.pWaitSemaphores = before;
    one.pWaitDstStageMask = stages;
    one.pSignalSemaphores = after;
    for (uint32_t i = 0; i < wait_count; i++)
        wait_for(waits[i]);
    return end(next, queue, next->QueueSubmit(queue, 1, &one, fence), signals, signal_count);
}

static VkResult VKAPI_CALL layer_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
    struct next *next = next_of(queue);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = submit_one(next, queue, &infos[i], i + 1 == count ? fence : VK_NULL_HANDLE);
    return count ? result : next->QueueSubmit(queue, 0, NULL, fence);
}

// ---- queries ------------------------------------------------------------------------------------

static VkResult VKAPI_CALL layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                                                    uint32_t *count, VkExtensionProperties *out)
{
    uint32_t room = *count;
    VkResult result = next_EnumerateDeviceExtensionProperties(physical, layer, count, out);
    if (layer || result < 0)
        return result;
    if (out && *count < room) {
        out[*count] = (VkExtensionProperties){.specVersion = 1};
        strcpy(out[*count].extensionName, EXTENSION);
    }
    if (!out || *count < room)
        ++*count;
    return result;
}

static void VKAPI_CALL layer_GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice physical,
                                                                          const VkPhysicalDeviceExternalSemaphoreInfo *info,
                                                                          VkExternalSemaphoreProperties *out)
{
    const VkSemaphoreTypeCreateInfo *type = struct_of(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    bool timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    bool can = !timeline && (info->handleType == OPAQUE || info->handleType == SYNC);
    (void)physical;
    out->externalSemaphoreFeatures =
        can ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT : 0;
    out->compatibleHandleTypes = can ? info->handleType : 0;
    out->exportFromImportedHandleTypes = out->compatibleHandleTypes;
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

static VkResult VKAPI_CALL layer_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                                                VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    next_get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)(void *)next_get(NULL, "vkCreateInstance");
    VkResult result = create(info, allocator, out);
    if (result != VK_SUCCESS)
        return result;
    next_CreateDevice = (PFN_vkCreateDevice)(void *)next_get(*out, "vkCreateDevice");
    next_EnumerateDeviceExtensionProperties =
        (PFN_vkEnumerateDeviceExtensionProperties)(void *)next_get(*out, "vkEnumerateDeviceExtensionProperties");
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL layer_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = link_of(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const char *names[AT_ONCE];
    VkDeviceCreateInfo plain = *info;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    plain.enabledExtensionCount = 0;
    plain.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], EXTENSION))
            names[plain.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    VkResult result = next_CreateDevice(physical, &plain, allocator, out);
    unsigned count = atomic_load(&device_count);
    if (result != VK_SUCCESS)
        return result;
    if (count == DEVICES)
        misused("too many devices");
    struct next *next = &devices[count];
    next->key = *(void **)*out;
    next->get = get;
#define NEXT(name) next->name = (PFN_vk##name)(void *)get(*out, "vk" #name);
    DEVICE_CALLS(NEXT)
    atomic_store(&device_count, count + 1);
    return VK_SUCCESS;
}

static void VKAPI_CALL layer_DestroyDevice(VkDevice device, const VkAllocationCallbacks *allocator)
{
    struct next *next = next_of(device);
    next->key = NULL;
    next->DestroyDevice(device, allocator);
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance, const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name);

static const struct {
    const char *name;
    PFN_vkVoidFunction fn;
} functions[] = {
#define ROW(name) {"vk" #name, (PFN_vkVoidFunction)(void *)layer_##name},
    ROW(CreateInstance) ROW(CreateDevice) ROW(EnumerateDeviceExtensionProperties)
        ROW(GetPhysicalDeviceExternalSemaphoreProperties) ROW(GetInstanceProcAddr) ROW(GetDeviceProcAddr) ROW(DestroyDevice) ROW(AllocateMemory)
            ROW(QueueSubmit) ROW(QueueSubmit2) ROW(CreateSemaphore) ROW(DestroySemaphore) ROW(ImportSemaphoreFdKHR)
                ROW(GetSemaphoreFdKHR){"vkQueueSubmit2KHR", (PFN_vkVoidFunction)(void *)layer_QueueSubmit2},
    {"vkGetPhysicalDeviceExternalSemaphorePropertiesKHR",
     (PFN_vkVoidFunction)(void *)layer_GetPhysicalDeviceExternalSemaphoreProperties},
};

static PFN_vkVoidFunction find(const char *name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].fn;
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = find(name);
    return found ? found : instance && next_get ? next_get(instance, name) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction found = find(name);
    return found ? found : next_of(device)->get(device, name);
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
