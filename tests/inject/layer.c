// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes the n-th call that may fail return an error.
//
// Calls are counted in a file shared by all processes of a run (INJECT_FILE, see inject.h). The
// selected call is not passed on: it returns the given error, or out of host memory if it cannot
// return that one. A lost device stays lost: earlier submissions are waited for, then every call
// that may report the loss does so. The file may also limit the memory that is available or
// reported, and remove features.
#include "inject.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include "vulkan/vk.h"

#define EXPORT __attribute__((visibility("default")))

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { DEVICES = 64, ALLOCATIONS = 4096 };

struct next {
    void *key; // the loader's dispatch table, the same for all handles of a device
    VkDevice device;
    atomic_bool lost;
    PFN_vkGetDeviceProcAddr get;
#define CALL(name, lost, parameters, arguments) PFN_vk##name name;
#include "calls.def"
};

static struct next devices[DEVICES];
static atomic_uint device_count;
static PFN_vkGetInstanceProcAddr next_get;
static PFN_vkCreateDevice next_CreateDevice; // found at instance creation: later the loader
static PFN_vkEnumeratePhysicalDevices next_EnumeratePhysicalDevices; // returns its own functions
static PFN_vkEnumerateDeviceExtensionProperties next_EnumerateDeviceExtensionProperties;
static PFN_vkGetPhysicalDeviceProperties next_GetPhysicalDeviceProperties;
static PFN_vkGetPhysicalDeviceProperties2 next_GetPhysicalDeviceProperties2;
static PFN_vkGetPhysicalDeviceFeatures2 next_GetPhysicalDeviceFeatures2;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties next_GetPhysicalDeviceQueueFamilyProperties;
static PFN_vkGetPhysicalDeviceMemoryProperties next_GetPhysicalDeviceMemoryProperties;
static PFN_vkGetPhysicalDeviceMemoryProperties2 next_GetPhysicalDeviceMemoryProperties2;
static struct inject *shared;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// ---- counting -----------------------------------------------------------------------------------

static void attach(void)
{
    const char *path = getenv("INJECT_FILE");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *memory = MAP_FAILED;
    if (fd >= 0) {
        memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    if (memory != MAP_FAILED)
        shared = memory;
}

// Whether a comma-separated list contains the name.
static bool names(const char *list, const char *name)
{
    size_t length = strlen(name);
    const char *at = list;
    while ((at = strstr(at, name)) &&
           ((at != list && at[-1] != ',') || (at[length] && at[length] != ',')))
        at += length;
    return at != NULL;
}

static bool counts(const char *name)
{
    return !*shared->only || names(shared->only, name);
}

// Whether this call must fail.
static bool hit(const char *name)
{
    pthread_once(&once, attach);
    if (!shared || !counts(name))
        return false;
    uint32_t number = atomic_fetch_add(&shared->calls, 1) + 1;
    if (!shared->fail_at || number < shared->fail_at ||
        (number > shared->fail_at && !shared->for_good))
        return false;
    strncpy(shared->failed, name, sizeof shared->failed - 1);
    usleep(shared->slow_us);
    return true;
}

static VkResult wanted(bool may_be_lost)
{
    VkResult result = shared->result;
    return result == VK_ERROR_DEVICE_LOST && !may_be_lost ? VK_ERROR_OUT_OF_HOST_MEMORY : result;
}

// ---- devices ------------------------------------------------------------------------------------

static struct next *next_of(void *handle)
{
    void *key = *(void **)handle;
    for (unsigned i = atomic_load(&device_count); i-- > 0;)
        if (devices[i].key == key)
            return &devices[i];
    abort();
}

// Earlier submissions complete before the loss of the device is reported, and nothing is submitted
// after that.
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

static void lose(struct next *next)
{
    pthread_rwlock_wrlock(&gate);
    if (!atomic_load(&next->lost))
        next->DeviceWaitIdle(next->device);
    atomic_store(&next->lost, true);
    pthread_rwlock_unlock(&gate);
}

static bool enter(const char *name)
{
    bool submits = !strncmp(name, "Queue", 5);
    if (submits)
        pthread_rwlock_rdlock(&gate);
    return submits;
}

static void leave(bool submits)
{
    if (submits)
        pthread_rwlock_unlock(&gate);
}

#define FIRST(first, ...) first
#define FIRST_OF(arguments) FIRST arguments

#define CALL(name, may_be_lost, parameters, arguments)                                             \
    static VkResult VKAPI_CALL layer_##name parameters                                             \
    {                                                                                              \
        struct next *next = next_of(FIRST_OF(arguments));                                          \
        bool submits = enter(#name), fails = false;                                                \
        VkResult result;                                                                           \
        if (may_be_lost && atomic_load(&next->lost))                                               \
            result = VK_ERROR_DEVICE_LOST;                                                         \
        else if ((fails = hit("vk" #name)))                                                        \
            result = wanted(may_be_lost);                                                          \
        else                                                                                       \
            result = next->name arguments;                                                         \
        leave(submits);                                                                            \
        if (fails && result == VK_ERROR_DEVICE_LOST)                                               \
            lose(next);                                                                            \
        return result;                                                                             \
    }
#include "calls.def"

// ---- limited memory -----------------------------------------------------------------------------

static struct {
    VkDeviceMemory memory;
    VkDeviceSize size;
} allocations[ALLOCATIONS];
static pthread_mutex_t allocations_lock = PTHREAD_MUTEX_INITIALIZER;

static VkResult VKAPI_CALL limited_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                  const VkAllocationCallbacks *own,
                                                  VkDeviceMemory *out)
{
    VkDeviceSize size = info->allocationSize;
    pthread_once(&once, attach);
    if (!shared || !(shared->memory || shared->budget))
        return layer_AllocateMemory(device, info, own, out);
    if (atomic_fetch_add(&shared->used, size) + size > shared->memory && shared->memory) {
        atomic_fetch_sub(&shared->used, size);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    VkResult result = layer_AllocateMemory(device, info, own, out);
    pthread_mutex_lock(&allocations_lock);
    for (int i = 0; i < ALLOCATIONS && result == VK_SUCCESS; i++)
        if (!allocations[i].memory) {
            allocations[i].memory = *out;
            allocations[i].size = size;
            break;
        }
    pthread_mutex_unlock(&allocations_lock);
    return result;
}

static void VKAPI_CALL layer_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                        const VkAllocationCallbacks *own)
{
    pthread_mutex_lock(&allocations_lock);
    for (int i = 0; i < ALLOCATIONS && memory; i++)
        if (allocations[i].memory == memory) {
            atomic_fetch_sub(&shared->used, allocations[i].size);
            allocations[i].memory = VK_NULL_HANDLE;
            break;
        }
    pthread_mutex_unlock(&allocations_lock);
    struct next *next = next_of(device);
    ((PFN_vkFreeMemory)(void *)next->get(device, "vkFreeMemory"))(device, memory, own);
}

// Memory of a process is freed with it.
static __attribute__((destructor)) void give_back_all(void)
{
    for (int i = 0; i < ALLOCATIONS; i++)
        if (allocations[i].memory)
            atomic_fetch_sub(&shared->used, allocations[i].size);
}

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *out)
{
    pthread_once(&once, attach);
    next_GetPhysicalDeviceMemoryProperties(physical, out);
    for (uint32_t i = 0; i < out->memoryHeapCount && shared && shared->heap; i++)
        out->memoryHeaps[i].size = shared->heap;
}

static void VKAPI_CALL layer_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    pthread_once(&once, attach);
    next_GetPhysicalDeviceMemoryProperties2(physical, out);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        VkPhysicalDeviceMemoryBudgetPropertiesEXT *told = (void *)at;
        if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
            continue;
        for (uint32_t i = 0; i < VK_MAX_MEMORY_HEAPS && shared && shared->budget; i++) {
            told->heapBudget[i] = shared->budget;
            told->heapUsage[i] = atomic_load(&shared->used);
        }
    }
}

// ---- a pipeline cache ---------------------------------------------------------------------------

// Software drivers have no pipeline cache. This one identifies pipelines by the code of their
// modules.
enum { MODULES = 1024, ENTRIES = 256, CACHE_HEAD = 32 };

struct kept {
    uint64_t entries[ENTRIES];
    uint32_t count;
};

static struct {
    VkShaderModule module;
    uint64_t hash;
} modules[MODULES];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static struct kept *kept_of(VkPipelineCache cache)
{
    return (struct kept *)(uintptr_t)cache;
}

// True: it was not in the cache.
static bool kept_add(struct kept *kept, uint64_t entry)
{
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->entries[i] == entry)
            return false;
    if (kept->count == ENTRIES)
        abort();
    kept->entries[kept->count++] = entry;
    return true;
}

static void check_module(const uint32_t *words, size_t count);

static bool keeps(void)
{
    pthread_once(&once, attach);
    return shared && shared->entry;
}

static VkResult VKAPI_CALL kept_CreatePipelineCache(VkDevice device,
                                                    const VkPipelineCacheCreateInfo *info,
                                                    const VkAllocationCallbacks *own,
                                                    VkPipelineCache *out)
{
    if (!keeps())
        return layer_CreatePipelineCache(device, info, own, out);
    struct kept *kept = calloc(1, sizeof *kept);
    const char *data = info->pInitialData;
    for (size_t at = CACHE_HEAD; at + shared->entry <= info->initialDataSize; at += shared->entry) {
        uint64_t entry;
        memcpy(&entry, data + at, sizeof entry);
        kept_add(kept, entry);
    }
    *out = (VkPipelineCache)(uintptr_t)kept;
    return VK_SUCCESS;
}

static void VKAPI_CALL kept_DestroyPipelineCache(VkDevice device, VkPipelineCache cache,
                                                 const VkAllocationCallbacks *own)
{
    if (keeps()) {
        free(kept_of(cache));
        return;
    }
    struct next *next = next_of(device);
    ((PFN_vkDestroyPipelineCache)(void *)next->get(device, "vkDestroyPipelineCache"))(device, cache,
                                                                                     own);
}

static VkResult VKAPI_CALL kept_GetPipelineCacheData(VkDevice device, VkPipelineCache cache,
                                                     size_t *size, void *data)
{
    if (!keeps())
        return layer_GetPipelineCacheData(device, cache, size, data);
    pthread_mutex_lock(&kept_lock);
    const struct kept *kept = kept_of(cache);
    *size = CACHE_HEAD + (size_t)kept->count * shared->entry;
    if (data)
        memset(data, 0, *size);
    for (uint32_t i = 0; data && i < kept->count; i++)
        memcpy((char *)data + CACHE_HEAD + (size_t)i * shared->entry, &kept->entries[i],
               sizeof kept->entries[i]);
    pthread_mutex_unlock(&kept_lock);
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL kept_MergePipelineCaches(VkDevice device, VkPipelineCache cache,
                                                    uint32_t count, const VkPipelineCache *others)
{
    if (!keeps())
        return layer_MergePipelineCaches(device, cache, count, others);
    pthread_mutex_lock(&kept_lock);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t e = 0; e < kept_of(others[i])->count; e++)
            kept_add(kept_of(cache), kept_of(others[i])->entries[e]);
    pthread_mutex_unlock(&kept_lock);
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL kept_CreateShaderModule(VkDevice device,
                                                   const VkShaderModuleCreateInfo *info,
                                                   const VkAllocationCallbacks *own,
                                                   VkShaderModule *out)
{
    check_module(info->pCode, info->codeSize / 4);
    VkResult result = layer_CreateShaderModule(device, info, own, out);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < info->codeSize / 4; i++)
        hash = (hash ^ info->pCode[i]) * UINT64_C(0x100000001b3);
    pthread_mutex_lock(&kept_lock);
    for (int i = 0; i < MODULES && result == VK_SUCCESS && keeps(); i++)
        if (!modules[i].module || modules[i].module == *out) {
            modules[i].module = *out;
            modules[i].hash = hash;
            break;
        }
    pthread_mutex_unlock(&kept_lock);
    return result;
}

static VkResult VKAPI_CALL kept_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *info,
                                                       const VkAllocationCallbacks *own,
                                                       VkPipeline *out)
{
    if (!keeps())
        return layer_CreateComputePipelines(device, cache, count, info, own, out);
    pthread_mutex_lock(&kept_lock);
    for (uint32_t p = 0; p < count; p++)
        for (int i = 0; i < MODULES; i++)
            if (modules[i].module == info[p].stage.module)
                atomic_fetch_add(&shared->compiled, kept_add(kept_of(cache), modules[i].hash));
    pthread_mutex_unlock(&kept_lock);
    return layer_CreateComputePipelines(device, VK_NULL_HANDLE, count, info, own, out);
}

// ---- reported properties ------------------------------------------------------------------------

#define LIMIT(name)                                                                                \
    {                                                                                              \
        #name, offsetof(VkPhysicalDeviceLimits, name), sizeof((VkPhysicalDeviceLimits){0}.name)    \
    }
static const struct limit {
    const char *name;
    size_t offset, size;
} limits[] = {
    LIMIT(minStorageBufferOffsetAlignment),
    LIMIT(maxStorageBufferRange),
    LIMIT(maxPerStageDescriptorStorageBuffers),
    LIMIT(maxPushConstantsSize),
};

static void limit(VkPhysicalDeviceLimits *out, const char *name, uint64_t value)
{
    for (size_t i = 0; i < COUNT(limits); i++)
        if (!strcmp(limits[i].name, name))
            memcpy((char *)out + limits[i].offset, &value, limits[i].size); // little-endian hosts
}

static bool lacks(const char *what)
{
    pthread_once(&once, attach);
    return shared && names(shared->without, what);
}

static bool older_than(uint32_t version)
{
    pthread_once(&once, attach);
    return shared && shared->version && shared->version < version;
}

// The application uses a feature that was reported as missing.
static void misused(const char *what)
{
    fprintf(stderr, "inject: the device has no %s\n", what);
    abort();
}

// Feature and property structs that a version introduced.
static void check_age(const void *chain)
{
    for (const VkBaseInStructure *at = chain; at; at = at->pNext)
        switch ((int)at->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
            if (older_than(VK_1_2))
                misused("structs of Vulkan 1.2");
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES:
            if (older_than(VK_1_3))
                misused("structs of Vulkan 1.3");
            break;
        }
}

static void disguise(VkPhysicalDeviceProperties *properties)
{
    pthread_once(&once, attach);
    if (shared && shared->as_gpu)
        properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    for (int i = 0; shared && i < INJECT_LIMITS; i++)
        limit(&properties->limits, shared->limits[i].name, shared->limits[i].value);
    if (older_than(properties->apiVersion))
        properties->apiVersion = shared->version;
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties(VkPhysicalDevice physical,
                                                         VkPhysicalDeviceProperties *out)
{
    next_GetPhysicalDeviceProperties(physical, out);
    disguise(out);
}

static void VKAPI_CALL layer_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                                          VkPhysicalDeviceProperties2 *out)
{
    check_age(out);
    next_GetPhysicalDeviceProperties2(physical, out);
    disguise(&out->properties);
}

static void *struct_of(void *chain, VkStructureType type)
{
    VkBaseOutStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static void VKAPI_CALL layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
                                                        VkPhysicalDeviceFeatures2 *out)
{
    pthread_once(&once, attach);
    check_age(out);
    next_GetPhysicalDeviceFeatures2(physical, out);
#define STRUCT(name, type, stype, extension, from, until) type *name = struct_of(out, stype);
#define FEATURE(name, strct, member)                                                               \
    if (shared && strct && lacks(#name))                                                           \
        strct->member = VK_FALSE;
#define ALSO(name, strct, member) FEATURE(name, strct, member)
#include "vulkan/features.def"
}

static void VKAPI_CALL layer_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical,
                                                                    uint32_t *count,
                                                                    VkQueueFamilyProperties *out)
{
    next_GetPhysicalDeviceQueueFamilyProperties(physical, count, out);
    for (uint32_t i = 0; out && i < *count && lacks("timestamps"); i++)
        out[i].timestampValidBits = 0;
}

static VkResult VKAPI_CALL strict_CreateSemaphore(VkDevice device,
                                                  const VkSemaphoreCreateInfo *info,
                                                  const VkAllocationCallbacks *own,
                                                  VkSemaphore *out)
{
    if (lacks("timeline_semaphore") &&
        struct_of((void *)(uintptr_t)info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO))
        misused("timeline semaphores");
    return layer_CreateSemaphore(device, info, own, out);
}

// Vulkan 1.1 supports SPIR-V up to 1.3, 1.2 up to 1.5.
static void check_module(const uint32_t *words, size_t count)
{
    enum { HEADER = 5, EXECUTION_MODE_ID = 331, LOCAL_SIZE_ID = 38 };
    if ((older_than(VK_1_2) && words[1] > 0x10300) || (older_than(VK_1_3) && words[1] > 0x10500))
        misused("SPIR-V as new as that");
    for (size_t at = HEADER; at < count && words[at] >> 16; at += words[at] >> 16)
        if ((words[at] & 0xffff) == EXECUTION_MODE_ID && words[at + 2] == LOCAL_SIZE_ID &&
            lacks("maintenance4"))
            misused("LocalSizeId");
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
    if (hit("vkCreateInstance"))
        return wanted(false);
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)(void *)next_get(NULL, "vkCreateInstance");
    VkResult result = create(info, own, out);
    if (result != VK_SUCCESS)
        return result;
#define NEXT(name) next_##name = (PFN_vk##name)(void *)next_get(*out, "vk" #name)
    NEXT(CreateDevice);
    NEXT(EnumeratePhysicalDevices);
    NEXT(EnumerateDeviceExtensionProperties);
    NEXT(GetPhysicalDeviceProperties);
    NEXT(GetPhysicalDeviceProperties2);
    NEXT(GetPhysicalDeviceFeatures2);
    NEXT(GetPhysicalDeviceQueueFamilyProperties);
    NEXT(GetPhysicalDeviceMemoryProperties);
    NEXT(GetPhysicalDeviceMemoryProperties2);
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
    check_age(info->pNext);
    if (hit("vkCreateDevice"))
        return wanted(true);
    VkResult result = next_CreateDevice(physical, info, own, out);
    unsigned count = atomic_load(&device_count);
    if (result != VK_SUCCESS)
        return result;
    if (count == DEVICES)
        abort();
    struct next *next = &devices[count];
    next->key = *(void **)*out;
    next->device = *out;
    next->get = get;
#define CALL(name, lost, parameters, arguments)                                                    \
    next->name = (PFN_vk##name)(void *)get(*out, "vk" #name);
#include "calls.def"
    atomic_store(&device_count, count + 1);
    return VK_SUCCESS;
}

static void VKAPI_CALL layer_DestroyDevice(VkDevice device, const VkAllocationCallbacks *own)
{
    struct next *next = next_of(device);
    PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)(void *)next->get(device, "vkDestroyDevice");
    next->key = NULL;
    destroy(device, own);
}

static VkResult VKAPI_CALL layer_EnumeratePhysicalDevices(VkInstance instance, uint32_t *count,
                                                          VkPhysicalDevice *out)
{
    if (hit("vkEnumeratePhysicalDevices"))
        return wanted(false);
    return next_EnumeratePhysicalDevices(instance, count, out);
}

// Removes an extension; returns the number of those left.
static uint32_t remove_extension(VkExtensionProperties *list, uint32_t count)
{
    static const struct {
        const char *name, *extension;
    } rows[] = {
#define EXTENSION(name, string, core) {#name, string},
#define TOLD(name, string) {#name, string},
#include "vulkan/features.def"
    };
    uint32_t left = 0;
    pthread_once(&once, attach);
    for (uint32_t i = 0; i < count; i++) {
        bool gone = false;
        for (size_t r = 0; shared && r < COUNT(rows); r++)
            gone |= names(shared->without, rows[r].name) &&
                    !strcmp(list[i].extensionName, rows[r].extension);
        if (!gone)
            list[left++] = list[i];
    }
    return left;
}

static VkResult VKAPI_CALL layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                    const char *layer,
                                                                    uint32_t *count,
                                                                    VkExtensionProperties *out)
{
    if (hit("vkEnumerateDeviceExtensionProperties"))
        return wanted(false);
    VkResult result = next_EnumerateDeviceExtensionProperties(physical, layer, count, out);
    if (out)
        *count = remove_extension(out, *count);
    return result;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name);

static const struct {
    const char *name;
    PFN_vkVoidFunction fn;
} of_instance[] = {
#define ROW(name) {"vk" #name, (PFN_vkVoidFunction)(void *)layer_##name},
    ROW(CreateInstance) ROW(CreateDevice) ROW(EnumeratePhysicalDevices)
        ROW(EnumerateDeviceExtensionProperties) ROW(GetPhysicalDeviceProperties)
            ROW(GetPhysicalDeviceProperties2) ROW(GetPhysicalDeviceFeatures2)
                ROW(GetPhysicalDeviceQueueFamilyProperties)
                ROW(GetPhysicalDeviceMemoryProperties) ROW(GetPhysicalDeviceMemoryProperties2)
                    ROW(GetInstanceProcAddr)},
  of_device[] = {
      ROW(GetDeviceProcAddr) ROW(DestroyDevice) ROW(FreeMemory)
      {"vkAllocateMemory", (PFN_vkVoidFunction)(void *)limited_AllocateMemory},
#define KEPT(name) {"vk" #name, (PFN_vkVoidFunction)(void *)kept_##name},
      {"vkCreateSemaphore", (PFN_vkVoidFunction)(void *)strict_CreateSemaphore},
      KEPT(CreatePipelineCache) KEPT(DestroyPipelineCache) KEPT(GetPipelineCacheData)
      KEPT(MergePipelineCaches) KEPT(CreateShaderModule) KEPT(CreateComputePipelines)
#define CALL(name, lost, parameters, arguments) ROW(name)
#include "calls.def"
};

// The name with which a function was promoted to a version.
static const char *newest_name(const char *function)
{
#define PROC_NEWER(name, core, suffix, feature)                                                    \
    if (!strcmp(function, "vk" #name suffix))                                                      \
        return "vk" #name;
#include "vulkan/procs.def"
    return function;
}

// Functions of missing features, and names from later versions.
static bool is_absent(const char *function)
{
#define PROC_NEWER(name, core, suffix, feature)                                                    \
    if (!strcmp(function, "vk" #name) && (lacks(#feature) || older_than(core)))                    \
        return true;                                                                               \
    if (!strcmp(function, "vk" #name suffix) && lacks(#feature))                                   \
        return true;
#include "vulkan/procs.def"
    return false;
}

static PFN_vkVoidFunction find_of_device(const char *name)
{
    name = newest_name(name);
    for (size_t i = 0; i < COUNT(of_device); i++)
        if (!strcmp(of_device[i].name, name))
            return of_device[i].fn;
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    PFN_vkVoidFunction next = instance && next_get ? next_get(instance, name) : NULL;
    for (size_t i = 0; i < COUNT(of_instance); i++)
        if (!strcmp(of_instance[i].name, name))
            return of_instance[i].fn;
    return next ? (find_of_device(name) ? find_of_device(name) : next) : NULL;
}

static PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    if (is_absent(name))
        return NULL;
    PFN_vkVoidFunction next = next_of(device)->get(device, name), own = find_of_device(name);
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
