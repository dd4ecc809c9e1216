// SPDX-License-Identifier: Apache-2.0
// The listing of devices: requirements, features, missing features, OpenCL properties. See info.h.
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/device.h"
#include "vulkan/loader.h"
#include "vulkan/memory.h"

// ---- features -----------------------------------------------------------------------------------

static const struct feature_row {
    size_t at; // offset of a bool in struct vk_features
    const char *field, *name;
} feature_rows[] = {
#define FEATURE(name, strct, member) {offsetof(struct vk_features, name), #name, #member},
#define EXTENSION(name, string, core) {offsetof(struct vk_features, name), #name, string},
#define DETECTED(name, string) {offsetof(struct vk_features, name), #name, string},
#include "vulkan/features.def"
};
enum { FEATURE_ROWS = sizeof feature_rows / sizeof *feature_rows };

static const struct loss_row {
    size_t at;
    const char *name, *text;
    bool needed;
} loss_rows[] = {
#define NEED(feature, name, why) {offsetof(struct vk_features, feature), name, why, true},
#define LOSS(feature, name, what) {offsetof(struct vk_features, feature), name, what, false},
#include "vulkan/needs.def"
};
enum { LOSS_ROWS = sizeof loss_rows / sizeof *loss_rows };

static bool has(const struct vk_features *features, size_t at)
{
    return *(const bool *)((const char *)features + at);
}

// Members of VkPhysicalDeviceFeatures2 are identified by the last part of their name.
static const char *last_word(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static void list_needs(const struct vk_facts *facts)
{
    const struct vk_features *features = &facts->features;
    bool old = facts->props.apiVersion < VK_API_VERSION_1_1;
    printf("  needed:\n    %-3s Vulkan 1.1\n", old ? "NO" : "yes");
    printf("    %-3s a queue family with compute\n", facts->queue_count ? "yes" : "NO");
    for (int i = 0; i < LOSS_ROWS; i++)
        if (loss_rows[i].needed)
            printf("    %-3s %-40s %s\n", has(features, loss_rows[i].at) ? "yes" : "NO",
                   loss_rows[i].name, loss_rows[i].text);
}

static void list_losses(const struct vk_features *features)
{
    printf("  missing, and what that disables:\n");
    for (int i = 0; i < LOSS_ROWS; i++)
        if (!loss_rows[i].needed && !has(features, loss_rows[i].at))
            printf("    %-40s %s\n", loss_rows[i].name, loss_rows[i].text);
}

static void list_features(const struct vk_features *features, bool present)
{
    int column = 0;
    printf("  %s:", present ? "Vulkan features and extensions in use"
                            : "missing Vulkan features and extensions");
    for (int i = 0; i < FEATURE_ROWS; i++) {
        if (has(features, feature_rows[i].at) != present)
            continue;
        const char *name = last_word(feature_rows[i].name);
        if (column == 0 || column + (int)strlen(name) > 108)
            column = printf("\n    ") - 1;
        column += printf("%s ", name);
    }
    printf("\n");
}

// ---- Vulkan properties --------------------------------------------------------------------------

static void list_head(const struct vk_facts *facts, const char *number)
{
    static const char *const types[] = {"other", "integrated GPU", "discrete GPU", "virtual GPU", "CPU"};
    const VkPhysicalDeviceProperties *props = &facts->props;
    printf("%s: %s (%s, vendor %04x, device %04x)\n", number, props->deviceName,
           (unsigned)props->deviceType < 5 ? types[props->deviceType] : "?", props->vendorID,
           props->deviceID);
    printf("  Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(props->apiVersion),
           VK_API_VERSION_MINOR(props->apiVersion), VK_API_VERSION_PATCH(props->apiVersion));
    if (*facts->props12.driverName)
        printf(", driver %s (%s), driver id %u", facts->props12.driverName,
               facts->props12.driverInfo, (unsigned)facts->props12.driverID);
    printf("\n");
}

static void list_limits(const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *l = &facts->props.limits;
    const struct {
        const char *name;
        unsigned long long value;
    } rows[] = {
        {"maxComputeWorkGroupInvocations", l->maxComputeWorkGroupInvocations},
        {"maxComputeSharedMemorySize", l->maxComputeSharedMemorySize},
        {"maxPushConstantsSize", l->maxPushConstantsSize},
        {"maxBoundDescriptorSets", l->maxBoundDescriptorSets},
        {"maxPerStageDescriptorStorageBuffers", l->maxPerStageDescriptorStorageBuffers},
        {"maxPerStageDescriptorStorageImages", l->maxPerStageDescriptorStorageImages},
        {"maxPerStageDescriptorSampledImages", l->maxPerStageDescriptorSampledImages},
        {"maxStorageBufferRange", l->maxStorageBufferRange},
        {"minStorageBufferOffsetAlignment", l->minStorageBufferOffsetAlignment},
        {"nonCoherentAtomSize", l->nonCoherentAtomSize},
        {"maxMemoryAllocationSize", facts->props11.maxMemoryAllocationSize},
        {"maxBufferSize", facts->props13.maxBufferSize},
        {"subgroupSize", facts->props11.subgroupSize},
        {"subgroupSupportedOperations", facts->props11.subgroupSupportedOperations},
    };
    printf("  limits:\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("    %-40s %llu\n", rows[i].name, rows[i].value);
    printf("    %-40s %u %u %u\n", "maxComputeWorkGroupSize", l->maxComputeWorkGroupSize[0],
           l->maxComputeWorkGroupSize[1], l->maxComputeWorkGroupSize[2]);
    printf("    %-40s %u %u %u\n", "maxComputeWorkGroupCount", l->maxComputeWorkGroupCount[0],
           l->maxComputeWorkGroupCount[1], l->maxComputeWorkGroupCount[2]);
}

static void list_memory(const struct vk_facts *facts)
{
    static const char *const flags[] = {"device", "visible", "coherent", "cached", "lazy"};
    static const struct {
        enum vk_memory_kind kind;
        const char *name;
    } kinds[] = {{VK_MEMORY_DEVICE, "buffers"},
                 {VK_MEMORY_UPLOAD, "uploads"},
                 {VK_MEMORY_READBACK, "readbacks"},
                 {VK_MEMORY_IMAGE, "images"}};
    const VkPhysicalDeviceMemoryProperties *memory = &facts->memory;
    printf("  memory types (buffers are %s):\n",
           facts->unified ? "mapped" : "not mapped: the host copies");
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        const VkMemoryType *type = &memory->memoryTypes[i];
        printf("    %u: heap %u (%llu MiB)", i, type->heapIndex,
               (unsigned long long)(memory->memoryHeaps[type->heapIndex].size >> 20));
        for (int bit = 0; bit < 5; bit++)
            if (type->propertyFlags >> bit & 1)
                printf(" %s", flags[bit]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (vk_memory_type(facts, kinds[k].kind, UINT32_MAX) == (int)i)
                printf(" <- %s", kinds[k].name);
        printf("\n");
    }
    printf("  queue family %u, %u queues, timestamps of %u bits, %g ns a tick\n", facts->queue_family,
           facts->queue_count, facts->timestamp_bits, facts->timestamp_ns);
}

// ---- OpenCL properties --------------------------------------------------------------------------

static const char *const extension_names[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = name,
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = name,
#include "pumice/extensions.def"
};

static const char *why_not(const struct device_caps *caps, enum kc_extension extension)
{
    const char *field = device_caps_missing(caps, extension);
    for (int i = 0; i < FEATURE_ROWS && field; i++)
        if (!strcmp(feature_rows[i].field, field))
            return last_word(feature_rows[i].name);
    return field;
}

static void list_extensions(const struct device_caps *caps)
{
    printf("  OpenCL extensions and features:\n");
    for (int i = 0; i < KC_EXT_COUNT; i++) {
        bool offered = device_caps_has(caps, (enum kc_extension)i);
        const char *why = offered ? NULL : why_not(caps, (enum kc_extension)i);
        printf("    %-3s %s%s%s\n", offered ? "yes" : "no", extension_names[i], why ? ": no " : "",
               why ? why : "");
    }
}

static void list_numbers(const struct kc_target *target)
{
    static const char *const widths[] = {"half", "float", "double"};
    const struct {
        const char *name;
        const bool *values;
    } rows[] = {{"keeps denormals", target->denorm_preserve},
                {"rounds to nearest even", target->rounding_rte},
                {"keeps signed zeros, infinities, NaNs", target->signed_zero_inf_nan_preserve},
                {"divides correctly rounded (measured)", target->exact_division},
                {"correctly rounded sqrt (measured)", target->exact_sqrt},
                {"fused fma (measured)", target->fused_fma}};
    printf("  numbers:\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("    %-40s", rows[i].name);
        for (int w = 0; w < 3; w++)
            printf(" %s: %s", widths[w], rows[i].values[w] ? "yes" : "no");
        printf("\n");
    }
}

static void list_svm(struct _cl_device_id *device)
{
    static const struct {
        cl_device_svm_capabilities bit;
        const char *name;
    } bits[] = {{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse-grained buffers"},
                {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grained buffers"},
                {CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "system memory"},
                {CL_DEVICE_SVM_ATOMICS, "atomics"}};
    cl_device_svm_capabilities svm = device_svm(device);
    printf("  shared virtual memory (measured):");
    const char *before = " ";
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (!(svm & bits[i].bit))
            continue;
        printf("%s%s", before, bits[i].name);
        before = ", ";
    }
    printf("%s\n", svm ? "" : " none");
}

static void list_target(const struct device_caps *caps)
{
    const struct kc_target *target = &caps->target;
    printf("  OpenCL %u.%u, %u-bit addresses, %llu MiB of memory, buffers of at most %llu MiB\n",
           CL_VERSION_MAJOR(caps->version), CL_VERSION_MINOR(caps->version), caps->address_bits,
           (unsigned long long)(caps->global_memory >> 20),
           (unsigned long long)(caps->max_allocation >> 20));
    if (caps->version_missing)
        printf("  not OpenCL 3.1: no %s\n", caps->version_missing);
    printf("  %s", caps->profile);
    printf(target->embedded ? ": %s\n" : "%s\n", caps->profile_why);
    if (!caps->images)
        printf("  no images: %s\n", caps->images_why);
    if (target->physical_addressing)
        printf("  kernels access buffers by address\n");
    else
        printf("  kernels access buffers by binding: at most %u, of at most %llu MiB\n",
               target->max_storage_buffers, (unsigned long long)(target->storage_buffer_range >> 20));
    printf("  SPIR-V %u.%u; work-groups of at most %zu; sub-groups: %s", target->spirv_version >> 16,
           target->spirv_version >> 8 & 0xff, caps->work_group_size,
           target->subgroups ? "" : "none\n");
    if (target->subgroups)
        printf("%u\n", target->subgroup_size);
}

static void list_device(struct _cl_device_id *device, const char *number, bool all)
{
    const struct vk_facts *facts = &device->physical->facts;
    device_svm(device); // its result is printed below
    list_head(facts, number);
    list_target(&device->caps);
    list_losses(&facts->features);
    if (!all)
        return;
    list_needs(facts);
    list_features(&facts->features, true);
    list_features(&facts->features, false);
    list_limits(facts);
    list_memory(facts);
    list_numbers(&device->caps.target);
    list_svm(device);
    list_extensions(&device->caps);
}

static void list_refused(const struct vk_physical *physical, bool all)
{
    list_head(&physical->facts, "not usable");
    printf("  reason: %s\n", physical->refused ? physical->refused : "it could not be queried");
    list_needs(&physical->facts);
    if (!all || physical->facts.props.apiVersion < VK_API_VERSION_1_1)
        return;
    list_features(&physical->facts.features, true);
    list_features(&physical->facts.features, false);
}

unsigned info_list(const char *only, bool all)
{
    struct _cl_device_id *devices;
    const struct vk_physical *refused;
    cl_uint count = device_list(&devices);
    uint32_t refused_count = vk_physical_refused(&refused);
    char number[16];
    for (cl_uint i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%u", i);
        if (!only || !strcmp(only, number))
            list_device(&devices[i], number, all);
    }
    for (uint32_t i = 0; i < refused_count && !only; i++)
        list_refused(&refused[i], all);
    const char *missing = vk_loader_open();
    if (!count)
        printf("no device is offered%s%s\n", missing ? ": " : "", missing ? missing : "");
    return count;
}
