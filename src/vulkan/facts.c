// SPDX-License-Identifier: Apache-2.0
// A VkPhysicalDevice -> struct vk_facts, and facts -> a VkDevice with all of these features
// enabled.
//
// features.def is expanded here to the chain of feature structs, code that reads and writes it, and
// the list of extensions. Features that are not in the table are neither queried nor enabled.
// Properties from separate structs of older Vulkan versions are copied to the newer ones (older.c).
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/host_memory.h"
#include "util/log.h"
#include "util/options.h"
#include "vulkan/quirks.h"
#include "vulkan/device.h"
#include "vulkan/external.h"
#include "vulkan/instance.h"
#include "vulkan/older.h"

enum { EXTENSION_MAX = 512 };

struct extension_list {
    VkExtensionProperties items[EXTENSION_MAX];
    uint32_t count;
};

struct feature_chain {
#define STRUCT(name, type, stype, extension, from, until) type name;
#include "vulkan/features.def"
};

static bool list_has(const struct extension_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].extensionName, name))
            return true;
    return false;
}

// The validation layer may be older than these extensions, which our headers may also lack: do not
// use them then.
static bool too_new(const struct vk_instance *instance, const char *extension)
{
    return instance->validating &&
           (!strcmp(extension, VK_KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION_NAME) ||
            !strcmp(extension, VK_KHR_MAP_MEMORY_2_EXTENSION_NAME) ||
            !strcmp(extension, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) ||
            !strcmp(extension, VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME) ||
            !strcmp(extension, VK_EXT_SHADER_FLOAT8_EXTENSION_NAME) ||
            !strcmp(extension, VK_EXT_MAP_MEMORY_PLACED_EXTENSION_NAME));
}

static bool extension_offered(const struct vk_instance *instance,
                              const struct extension_list *list, const char *extension)
{
    return !extension || (list_has(list, extension) && !too_new(instance, extension));
}

// Whether a struct that exists from version `from` to before `until` applies to a device of this
// version.
static bool is_in_versions(uint32_t version, uint32_t from, uint32_t until)
{
    return version >= from && version < until;
}

// Chains the structs that the device supports; returns the head.
static VkPhysicalDeviceFeatures2 *chain_link(struct feature_chain *chain,
                                             const struct vk_instance *instance, uint32_t version,
                                             const struct extension_list *list)
{
    VkBaseOutStructure *tail = NULL;
    memset(chain, 0, sizeof *chain);
#define STRUCT(name, type, stype, extension, from, until)                                          \
    if (is_in_versions(version, from, until) && extension_offered(instance, list, extension)) {    \
        chain->name.sType = stype;                                                                 \
        if (tail)                                                                                  \
            tail->pNext = (VkBaseOutStructure *)&chain->name;                                      \
        tail = (VkBaseOutStructure *)&chain->name;                                                 \
    }
#include "vulkan/features.def"
    return &chain->core;
}

static VkResult list_extensions(const struct vk_instance *instance, VkPhysicalDevice handle,
                                struct extension_list *list)
{
    list->count = EXTENSION_MAX;
    VkResult result =
        instance->fn.EnumerateDeviceExtensionProperties(handle, NULL, &list->count, list->items);
    return result == VK_INCOMPLETE ? VK_SUCCESS : result;
}

static void read_features(const struct vk_instance *instance, VkPhysicalDevice handle,
                          const struct extension_list *list, struct vk_facts *facts)
{
    struct feature_chain chain; // structs that are not chained stay zero
    struct vk_features *features = &facts->features;
    uint32_t version = facts->props.apiVersion;
    instance->fn.GetPhysicalDeviceFeatures2(handle, chain_link(&chain, instance, version, list));
#define FEATURE(name, strct, member) features->name = chain.strct.member;
#define ALSO(name, strct, member) features->name |= chain.strct.member;
#define EXTENSION(name, string, core) features->name = version >= (core) || list_has(list, string);
#define DETECTED(name, string) features->name = list_has(list, string);
#include "vulkan/features.def"
    if (!list_has(list, VK_PORTABILITY_SUBSET))
        features->view_of_other_format = features->view_swizzle = true;
}

// ---- features disabled by the user --------------------------------------------------------------

static const struct {
    const char *name;
    size_t feature; // offset of a bool in struct vk_features
} feature_names[] = {
#define FEATURE(name, strct, member) {#name, offsetof(struct vk_features, name)},
#define EXTENSION(name, string, core) {#name, offsetof(struct vk_features, name)},
#define DETECTED(name, string) {#name, offsetof(struct vk_features, name)},
#include "vulkan/features.def"
};
enum { FEATURES = sizeof feature_names / sizeof *feature_names };

static bool is_known(const char *word, size_t length)
{
    static const char *const others[] = {"timestamps", "copy_queues", "vulkan1.3", "vulkan1.2"};
    for (size_t i = 0; i < FEATURES + sizeof others / sizeof *others; i++) {
        const char *name = i < FEATURES ? feature_names[i].name : others[i - FEATURES];
        if (strlen(name) == length && !memcmp(name, word, length))
            return true;
    }
    return false;
}

void vk_facts_check_options(void)
{
    option_check_list(OPTION_WITHOUT, "feature", is_known);
}

static void limit_version(VkPhysicalDeviceProperties *props)
{
    if (option_has(OPTION_WITHOUT, "vulkan1.3") && props->apiVersion >= VK_API_VERSION_1_3)
        props->apiVersion = VK_API_VERSION_1_2;
    if (option_has(OPTION_WITHOUT, "vulkan1.2") && props->apiVersion >= VK_API_VERSION_1_2)
        props->apiVersion = VK_API_VERSION_1_1;
}

static void disable_unwanted(struct vk_features *features)
{
    const char *wish = option_get(OPTION_ADDRESSING);
    for (size_t i = 0; i < FEATURES; i++)
        if (option_has(OPTION_WITHOUT, feature_names[i].name))
            *(bool *)((char *)features + feature_names[i].feature) = false;
    if (wish && !strcmp(wish, "logical"))
        features->buffer_device_address = false;
}

static uint32_t count_compute_units(const struct vk_facts *facts,
                                    const VkPhysicalDeviceShaderSMBuiltinsPropertiesNV *nv,
                                    const VkPhysicalDeviceShaderCorePropertiesAMD *amd,
                                    const VkPhysicalDeviceDrmPropertiesEXT *drm)
{
    if (facts->features.nv_sm_builtins)
        return nv->shaderSMCount;
    if (facts->features.amd_core_properties)
        return amd->shaderEngineCount * amd->shaderArraysPerEngineCount *
               amd->computeUnitsPerShaderArray;
    if (facts->props12.driverID == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA && drm->hasRender)
        return system_intel_units((uint32_t)drm->renderMinor);
    if (facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return thread_processors();
    return 0;
}

static void find_lanes(struct vk_facts *facts)
{
    const VkPhysicalDeviceVulkan13Properties *sizes = &facts->props13;
    bool any = facts->features.subgroup_size_control && sizes->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT;
    uint32_t own = vk_quirks(facts)->lanes;
    for (uint32_t i = 0, n; any && i < 8 * sizeof n; i++) {
        n = UINT32_C(1) << i;
        facts->lane_sizes |= n >= sizes->minSubgroupSize && n <= sizes->maxSubgroupSize ? n : 0;
    }
    facts->lanes = own && facts->lane_sizes & own ? own : facts->props11.subgroupSize;
}

static void read_properties(const struct vk_instance *instance, VkPhysicalDevice handle,
                            struct vk_facts *facts)
{
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nv = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceShaderCorePropertiesAMD amd = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};
    VkPhysicalDeviceDrmPropertiesEXT drm = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT};
    struct vk_cuda_launch cuda = {.sType = VK_STRUCTURE_TYPE_CUDA_LAUNCH_PROPERTIES};
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT import = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceMapMemoryPlacedPropertiesEXT placed = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    struct vk_older older;
    facts->pci.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT;
    vk_older_chain(&older, facts, &all);
    if (facts->features.pci_bus_info)
        vk_chain(&all, &facts->pci);
    if (facts->features.nv_sm_builtins)
        vk_chain(&all, &nv);
    if (facts->features.nv_cuda_launch)
        vk_chain(&all, &cuda);
    if (facts->features.amd_core_properties)
        vk_chain(&all, &amd);
    if (facts->features.physical_device_drm)
        vk_chain(&all, &drm);
    if (facts->features.external_memory_host)
        vk_chain(&all, &import);
    if (facts->features.map_memory_placed)
        vk_chain(&all, &placed);
    instance->fn.GetPhysicalDeviceProperties2(handle, &all);
    facts->props = all.properties;
    limit_version(&facts->props);
    facts->pci.pNext = NULL;
    vk_older_read(&older, facts);
    facts->remote = facts->props12.driverID == VK_DRIVER_ID_MESA_VENUS;
    facts->compute_units = count_compute_units(facts, &nv, &amd, &drm);
    facts->simds = amd.simdPerComputeUnit;
    find_lanes(facts);
    facts->cuda_major = cuda.major;
    facts->cuda_minor = cuda.minor;
    facts->host_import_align = import.minImportedHostPointerAlignment;
    facts->map_placed_align = placed.minPlacedMemoryMapAlignment;
    facts->max_push_bytes = facts->props.limits.maxPushConstantsSize;
    facts->timestamp_ns = facts->props.limits.timestampPeriod;
}

// Limits a heap that is the machine's memory, which all programs share, and which must fit in the
// process's address space.
static uint64_t share_of_machine(uint64_t heap)
{
    struct host_memory machine;
    if (host_memory_read("", &machine) && machine.total < heap)
        heap = machine.total;
    if (heap > SIZE_MAX / 2)
        heap = SIZE_MAX / 2;
    return heap - heap / 4;
}

static void read_memory(const struct vk_instance *instance, VkPhysicalDevice handle,
                        struct vk_facts *facts)
{
    const VkMemoryPropertyFlags mapped = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkPhysicalDeviceMemoryProperties *memory = &facts->memory;
    instance->fn.GetPhysicalDeviceMemoryProperties(handle, &facts->memory);
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        if (memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT &&
            memory->memoryHeaps[i].size > facts->device_memory)
            facts->device_memory = memory->memoryHeaps[i].size;
    if (facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        facts->device_memory = share_of_machine(facts->device_memory);
    // Reading a discrete device's memory is too slow for it to count as unified.
    bool shared = facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                  facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
        if ((memory->memoryTypes[i].propertyFlags & mapped) == mapped) {
            facts->unified |= shared;
            facts->window |= memory->memoryHeaps[memory->memoryTypes[i].heapIndex].size >= facts->device_memory;
        }
    const char *wish = option_get(OPTION_WINDOW);
    facts->window &= wish ? !option_off(OPTION_WINDOW) : !facts->unified;
}

// A family for nothing but copies: on many GPUs it has units of its own, which copy while kernels
// run elsewhere. Its batches need timelines (they follow others on the device), and query pools
// that the host resets.
static void pick_copy_family(const VkQueueFamilyProperties *families, uint32_t count, struct vk_facts *facts)
{
    const VkQueueFlags allowed = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
    if (!facts->features.timeline_semaphore || !facts->features.host_query_reset || option_has(OPTION_WITHOUT, "copy_queues"))
        return;
    for (uint32_t i = 0; i < count && !facts->copy_queue_count; i++)
        if (families[i].queueFlags & VK_QUEUE_TRANSFER_BIT && !(families[i].queueFlags & ~allowed) &&
            families[i].timestampValidBits == families[facts->queue_family].timestampValidBits) {
            facts->copy_family = i;
            facts->copy_queue_count = families[i].queueCount < VK_COPY_QUEUE_MAX ? families[i].queueCount : VK_COPY_QUEUE_MAX;
        }
}

// Prefers a compute family without graphics, which starts work sooner.
static bool pick_queue_family(const struct vk_instance *instance, VkPhysicalDevice handle,
                              struct vk_facts *facts)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    int best = -1;
    instance->fn.GetPhysicalDeviceQueueFamilyProperties(handle, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        bool draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        if (best < 0 || (!draws && families[best].queueFlags & VK_QUEUE_GRAPHICS_BIT))
            best = (int)i;
    }
    if (best < 0)
        return false;
    facts->queue_family = (uint32_t)best;
    facts->queue_count =
        families[best].queueCount < VK_QUEUE_MAX ? families[best].queueCount : VK_QUEUE_MAX;
    if (!facts->features.timeline_semaphore) // submission order replaces waits between queues
        facts->queue_count = 1;
    facts->timestamp_bits = families[best].timestampValidBits;
    pick_copy_family(families, count, facts);
    if (option_has(OPTION_WITHOUT, "timestamps"))
        facts->timestamp_bits = 0;
    facts->sparse =
        facts->features.sparse_binding && families[best].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT;
    return true;
}

static void read_matrices(const struct vk_instance *instance, VkPhysicalDevice handle,
                          struct vk_facts *facts)
{
    VkCooperativeMatrixPropertiesKHR all[VK_MATRICES_MAX];
    uint32_t count = VK_MATRICES_MAX;
    for (uint32_t i = 0; i < count; i++)
        all[i] = (VkCooperativeMatrixPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
    if (!instance->fn.GetPhysicalDeviceCooperativeMatrixPropertiesKHR ||
        instance->fn.GetPhysicalDeviceCooperativeMatrixPropertiesKHR(handle, &count, all) < 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (all[i].scope == VK_SCOPE_SUBGROUP_KHR)
            facts->matrices[facts->matrix_count++] = all[i];
}

// The extension is only useful if it supports the host's monotonic clock.
static bool calibrates(const struct vk_instance *instance, VkPhysicalDevice handle)
{
    VkTimeDomainEXT domains[16];
    uint32_t count = 16;
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT get =
        instance->fn.GetPhysicalDeviceCalibrateableTimeDomainsEXT;
    if (!get || get(handle, &count, domains) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if ((uint32_t)domains[i] == system_time_domain())
            return true;
    return false;
}

static const struct need {
    size_t feature; // offset of a bool in struct vk_features
    const char *missing;
} needs[] = {
#define NEED(feature, name, why) {offsetof(struct vk_features, feature), "no " name ": " why},
#include "vulkan/needs.def"
    {0, NULL},
};

static const char *missing_feature(const struct vk_features *features)
{
    for (size_t i = 0; needs[i].missing; i++)
        if (!*(const bool *)((const char *)features + needs[i].feature))
            return needs[i].missing;
    return NULL;
}

VkResult vk_facts_fill(const struct vk_instance *instance, VkPhysicalDevice handle,
                       struct vk_physical *physical)
{
    struct vk_facts *facts = &physical->facts;
    memset(physical, 0, sizeof *physical);
    physical->handle = handle;
    instance->fn.GetPhysicalDeviceProperties(handle, &facts->props);
    limit_version(&facts->props);
    if (facts->props.apiVersion < VK_API_VERSION_1_1) {
        physical->refused = "its driver is older than Vulkan 1.1";
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    struct extension_list *list = malloc(sizeof *list);
    if (!list)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = list_extensions(instance, handle, list);
    if (result == VK_SUCCESS)
        read_features(instance, handle, list, facts);
    disable_unwanted(&facts->features);
    free(list);
    if (result != VK_SUCCESS)
        return result;
    physical->refused = missing_feature(&facts->features);
    if (!physical->refused && !pick_queue_family(instance, handle, facts))
        physical->refused = "no queue family with compute";
    if (physical->refused)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    read_properties(instance, handle, facts);
    read_memory(instance, handle, facts);
    facts->features.image_borders &= vk_quirks(facts)->image_borders;
    if (facts->features.cooperative_matrix)
        read_matrices(instance, handle, facts);
    if (facts->features.calibrated_timestamps)
        facts->features.calibrated_timestamps = calibrates(instance, handle);
    vk_external_fill(instance, handle, facts);
    return VK_SUCCESS;
}

static void write_features(const struct vk_features *features, struct feature_chain *chain)
{
#define FEATURE(name, strct, member) chain->strct.member = features->name;
#define ALSO(name, strct, member) chain->strct.member = features->name;
#include "vulkan/features.def"
}

static uint32_t name_extensions(const struct vk_instance *instance, uint32_t version,
                                const struct extension_list *list, const char **names)
{
    uint32_t count = 0;
#define STRUCT(name, type, stype, extension, from, until)                                          \
    if ((extension) != NULL && is_in_versions(version, from, until) &&                             \
        extension_offered(instance, list, extension))                                              \
        names[count++] = extension;
#define EXTENSION(name, string, core)                                                              \
    if (version < (core) && extension_offered(instance, list, string))                             \
        names[count++] = string;
#include "vulkan/features.def"
    return count;
}

static bool may_be_temporary(VkResult result)
{
    return result < 0 && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
           result != VK_ERROR_EXTENSION_NOT_PRESENT && result != VK_ERROR_FEATURE_NOT_PRESENT;
}

// A GPU shared by dozens of processes occasionally refuses to create a device (an H200 with 35 of
// them: one in a thousand). So creation is retried before the program gets the error.
static VkResult create_patiently(const struct vk_instance *instance, VkPhysicalDevice physical,
                                 const VkDeviceCreateInfo *info, VkDevice *device)
{
    enum { PAUSE_US = 50000, PAUSES = 5 }; // doubled each time: 1.6 s in total
    VkResult result = instance->fn.CreateDevice(physical, info, NULL, device);
    for (int i = 0; i < PAUSES && may_be_temporary(result); i++) {
        log_write(LOG_VULKAN, "cannot create the device, retrying: %s", vk_result_name(result));
        thread_sleep_us(PAUSE_US << i);
        result = instance->fn.CreateDevice(physical, info, NULL, device);
    }
    return result;
}

static VkDeviceQueueCreateInfo queues_info(uint32_t family, uint32_t count, const float *priorities)
{
    return (VkDeviceQueueCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = family,
        .queueCount = count,
        .pQueuePriorities = priorities,
    };
}

VkResult vk_facts_create_device(const struct vk_instance *instance,
                                const struct vk_physical *physical, uint32_t queue_count,
                                uint32_t copy_queue_count, VkDevice *device)
{
    static const float priorities[VK_QUEUE_MAX] = {0.5f, 0.5f, 0.5f, 0.5f};
    const char *names[64];
    struct feature_chain chain;
    struct extension_list *list = malloc(sizeof *list);
    if (!list)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = list_extensions(instance, physical->handle, list);
    if (result == VK_SUCCESS) {
        uint32_t version = physical->facts.props.apiVersion;
        const struct vk_facts *facts = &physical->facts;
        const VkDeviceQueueCreateInfo queues[] = {
            queues_info(facts->queue_family, queue_count, priorities),
            queues_info(facts->copy_family, copy_queue_count, priorities),
        };
        VkDeviceCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .pNext = chain_link(&chain, instance, version, list),
            .queueCreateInfoCount = copy_queue_count ? 2 : 1,
            .pQueueCreateInfos = queues,
            .enabledExtensionCount = name_extensions(instance, version, list, names),
            .ppEnabledExtensionNames = names,
        };
        write_features(&physical->facts.features, &chain);
        result = create_patiently(instance, physical->handle, &info, device);
    }
    free(list);
    return result;
}
