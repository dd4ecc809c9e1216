// SPDX-License-Identifier: Apache-2.0
// See device.h.
#include "device.h"

#include <string.h>

#include "util/thread.h"
#include "vulkan/descriptor.h"
#include "vulkan/instance.h"
#include "vulkan/loader.h"

static PFN_vkCreateDevice create_device;
static PFN_vkCreateComputePipelines create_pipelines;
static PFN_vkGetPipelineExecutableStatisticsKHR get_statistics;
static VkDevice device_handle;

// ---- additions to the runtime's calls -----------------------------------------------------------

static VkResult VKAPI_CALL create_with_statistics(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator, VkDevice *device)
{
    enum { MOST = 96 };
    const char *names[MOST];
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = (void *)info->pNext,
        .pipelineExecutableInfo = VK_TRUE,
    };
    VkDeviceCreateInfo more = *info;
    if (info->enabledExtensionCount >= MOST)
        return VK_ERROR_INITIALIZATION_FAILED;
    memcpy(names, info->ppEnabledExtensionNames, info->enabledExtensionCount * sizeof *names);
    names[more.enabledExtensionCount++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    more.ppEnabledExtensionNames = names;
    more.pNext = &feature;
    return create_device(physical, &more, allocator, device);
}

static VkResult VKAPI_CALL create_for_statistics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                 const VkComputePipelineCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator, VkPipeline *pipeline)
{
    VkComputePipelineCreateInfo more = *info; // the runtime creates one pipeline at a time
    more.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    return create_pipelines(device, cache, count, &more, allocator, pipeline);
}

// ---- opening ------------------------------------------------------------------------------------

static bool has_statistics(const struct vk_instance *instance, VkPhysicalDevice physical)
{
    static VkExtensionProperties list[512];
    uint32_t count = 512;
    if (instance->fn.EnumerateDeviceExtensionProperties(physical, NULL, &count, list) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(list[i].extensionName, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
            return true;
    return false;
}

static bool load_functions(struct vk_device *device, const struct vk_instance *instance)
{
    uint32_t version = device->facts->props.apiVersion;
#define LOAD(function, text) ((PFN_vk##function)instance->fn.GetDeviceProcAddr(device->handle, text))
#define PROC_NEWER(name, core, suffix, feature) device->fn.name = LOAD(name, version >= (core) ? "vk" #name : "vk" #name suffix);
#define PROC(name)                                                                                                                 \
    if (!(device->fn.name = LOAD(name, "vk" #name)))                                                                               \
        return false;
#define PROC_OPTIONAL(name) device->fn.name = LOAD(name, "vk" #name);
#include "vulkan/procs.def"
    get_statistics = LOAD(GetPipelineExecutableStatisticsKHR, "vkGetPipelineExecutableStatisticsKHR");
    return true;
}

static VkResult make_layout(struct vk_device *device)
{
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, device->facts->max_push_bytes};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkResult result = device->fn.CreatePipelineLayout(device->handle, &info, NULL, &device->layout);
    return result == VK_SUCCESS ? vk_samplers_create(device) : result;
}

static const char *open_device(struct compiler_device *out, struct vk_instance *instance)
{
    struct vk_device *device = &out->device;
    device->physical = &out->physical;
    device->facts = &out->physical.facts;
    device->fork_generation = thread_fork_generation();
    pthread_mutex_init(&device->lock, NULL);
    out->has_statistics = has_statistics(instance, out->physical.handle);
    create_device = instance->fn.CreateDevice;
    if (out->has_statistics)
        instance->fn.CreateDevice = create_with_statistics;
    if (vk_facts_create_device(instance, &out->physical, 1, 0, &device->handle) != VK_SUCCESS)
        return "the device cannot be opened";
    device_handle = device->handle;
    if (!load_functions(device, instance) || make_layout(device) != VK_SUCCESS)
        return "the device lacks functions";
    create_pipelines = device->fn.CreateComputePipelines;
    if (out->has_statistics)
        device->fn.CreateComputePipelines = create_for_statistics;
    return NULL;
}

// RADV's null devices have no memory; some image limits depend on its size.
static void lend_memory(struct vk_facts *facts)
{
    const VkDeviceSize bytes = (VkDeviceSize)1 << 32;
    if (facts->memory.memoryTypeCount)
        return;
    facts->device_memory = bytes;
    facts->props11.maxMemoryAllocationSize = facts->props13.maxBufferSize = bytes;
}

const char *compiler_device_open(struct compiler_device *out)
{
    static struct vk_instance instance;
    struct vk_physical *list;
    VkPhysicalDevice handle;
    uint32_t count = 1, all;
    memset(out, 0, sizeof *out);
    if (vk_physical_list(&list, &all) != VK_SUCCESS || vk_instance_create(&instance) != VK_SUCCESS)
        return "there is no device";
    if (instance.fn.EnumeratePhysicalDevices(instance.handle, &count, &handle) < 0 || !count)
        return "there is no device";
    out->physical = list[0]; // with its formats
    out->physical.handle = handle;
    lend_memory(&out->physical.facts);
    device_caps_fill(&out->caps, &out->physical.facts);
    return open_device(out, &instance);
}

// ---- statistics ---------------------------------------------------------------------------------

static double value_of(const VkPipelineExecutableStatisticKHR *s)
{
    switch (s->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return s->value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return (double)s->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return (double)s->value.u64;
    default: return s->value.f64;
    }
}

uint32_t compiler_device_statistics(const struct compiler_device *device, VkPipeline pipeline, struct statistic list[STATISTICS])
{
    static VkPipelineExecutableStatisticKHR rows[STATISTICS];
    VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = STATISTICS;
    if (!device->has_statistics || !get_statistics)
        return 0;
    for (int i = 0; i < STATISTICS; i++)
        rows[i] = (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    if (get_statistics(device_handle, &info, &count, rows) < 0)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(list[i].name, rows[i].name, sizeof list[i].name);
        list[i].value = value_of(&rows[i]);
    }
    return count;
}
