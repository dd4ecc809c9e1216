// SPDX-License-Identifier: Apache-2.0
// SPIR-V words and specialization constants -> a compute pipeline.
#include "vulkan/pipeline.h"

#include <stdlib.h>

#include "util/log.h"
#include "util/options.h"
#include "vulkan/device.h"

VkResult vk_module_create(struct vk_device *device, const uint32_t *words, size_t count,
                          VkShaderModule *module)
{
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = count * sizeof *words,
        .pCode = words,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.CreateShaderModule(device->handle, &info, NULL, module);
    return vk_device_note(device, result, "creating a shader module");
}

void vk_module_destroy(struct vk_device *device, VkShaderModule module)
{
    if (module)
        device->fn.DestroyShaderModule(device->handle, module, NULL);
}

struct creation {
    struct vk_device *device;
    const VkComputePipelineCreateInfo *info;
    VkPipeline *pipeline;
};

static VkResult create(void *data)
{
    const struct creation *c = data;
    return c->device->fn.CreateComputePipelines(c->device->handle, c->device->cache, 1, c->info, NULL, c->pipeline);
}

static VkResult create_on_stack(struct vk_device *device, const VkComputePipelineCreateInfo *info, VkPipeline *pipeline)
{
    struct creation creation = {device, info, pipeline};
    return vk_on_stack(create, &creation);
}

VkResult vk_pipeline_create(struct vk_device *device, VkPipelineLayout layout,
                            VkShaderModule module,
                            const struct vk_spec *specs, uint32_t spec_count,
                            bool full_subgroups, uint32_t lanes, VkPipeline *pipeline, bool *cached)
{
    VkSpecializationMapEntry entries[VK_SPEC_MAX];
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (spec_count > VK_SPEC_MAX) {
        log_write(LOG_BUILD, "a pipeline has %u specialization constants, the limit is %u",
                  spec_count, VK_SPEC_MAX);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    for (uint32_t i = 0; i < spec_count; i++)
        entries[i] = (VkSpecializationMapEntry){
            .constantID = specs[i].id,
            .offset = (uint32_t)(i * sizeof *specs + offsetof(struct vk_spec, value)),
            .size = sizeof specs->value,
        };
    VkSpecializationInfo specialization = {
        .mapEntryCount = spec_count,
        .pMapEntries = entries,
        .dataSize = spec_count * sizeof *specs,
        .pData = specs,
    };
    VkPipelineCreationFeedback whole = {0}, stage = {0};
    VkPipelineCreationFeedbackCreateInfo feedback = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &whole,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &stage,
    };
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = lanes,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = device->facts->props.apiVersion >= VK_API_VERSION_1_3 ? &feedback : NULL,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = lanes ? &size : NULL,
                  .flags = full_subgroups
                               ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                               : 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = spec_count ? &specialization : NULL},
        .layout = layout,
    };
    unsigned long long libraries = vk_libraries();
    vk_compile_begins();
    result = create_on_stack(device, &info, pipeline);
    vk_exit_hook(libraries);
    vk_compile_ended();
    *cached = whole.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    return vk_device_note(device, result, "creating a pipeline");
}

// ---- destroying pipelines -----------------------------------------------------------------------

// NVIDIA's driver (580.159, H200) sometimes runs the code of an older pipeline, destroyed dozens of
// builds before, instead of a new one's. Observed when other processes share the GPU, with any
// completion mechanism: in 4 of 41 runs of a test that builds some thousand programs, and in none
// of 16 runs in which no pipeline was destroyed (nor in 16 with a single VkQueue). Apparently code
// memory is reused while a processor still has the old code cached. So with this driver a destroyed
// pipeline is kept until the code of many others has passed through the same caches.
enum { RETIRED_NVIDIA = 1024, RETIRED_MAX = 65536 };

static uint32_t retired_limit(const struct vk_facts *facts)
{
    const char *wish = option_get(OPTION_KEEP_PIPELINES);
    if (wish) {
        unsigned long long count = strtoull(wish, NULL, 0);
        return count < RETIRED_MAX ? (uint32_t)count : RETIRED_MAX;
    }
    return facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY ? RETIRED_NVIDIA : 0;
}

// Stores the pipeline and returns the oldest one, to be destroyed.
static VkPipeline retire(struct vk_device *device, VkPipeline pipeline)
{
    pthread_mutex_lock(&device->lock);
    VkPipeline *place = &device->retired[device->retired_at++ % device->retired_count];
    VkPipeline oldest = *place;
    *place = pipeline;
    pthread_mutex_unlock(&device->lock);
    return oldest;
}

void vk_pipeline_destroy(struct vk_device *device, VkPipeline pipeline)
{
    if (pipeline && device->retired_count)
        pipeline = retire(device, pipeline);
    if (pipeline)
        device->fn.DestroyPipeline(device->handle, pipeline, NULL);
}

VkResult vk_pipelines_init(struct vk_device *device)
{
    uint32_t count = retired_limit(device->facts);
    if (!count)
        return VK_SUCCESS;
    device->retired = calloc(count, sizeof *device->retired);
    device->retired_count = device->retired ? count : 0;
    return device->retired ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void vk_pipelines_finish(struct vk_device *device)
{
    for (uint32_t i = 0; i < device->retired_count; i++)
        if (device->retired[i])
            device->fn.DestroyPipeline(device->handle, device->retired[i], NULL);
    free(device->retired);
    device->retired_count = 0;
}

bool vk_local_size_fits(const struct vk_facts *facts, const uint32_t size[3], uint32_t local_memory)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    uint64_t total = 1;
    for (int i = 0; i < 3; i++) {
        if (!size[i] || size[i] > limits->maxComputeWorkGroupSize[i])
            return false;
        total *= size[i];
    }
    return total <= limits->maxComputeWorkGroupInvocations &&
           local_memory <= limits->maxComputeSharedMemorySize;
}
