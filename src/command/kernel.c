// SPDX-License-Identifier: Apache-2.0
// Kernels on a device: pipelines made as specializations turn up, and the choice of a local size.
//
// A pipeline is known by the values of the kernel's specialization constants (local size, local
// argument sizes), of which the formats of its images are one kind where the device wants them named: a short list
// per kernel, and the last used one without a lock. They stay as long as the kernel.
#include "command/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "command/bindings.h"
#include "command/internal.h"
#include "util/log.h"
#include "util/thread.h"

struct cmd_pipeline {
    struct cmd_pipeline *next;
    VkPipeline handle;
    uint32_t values[];
};

struct cmd_set_pool {
    struct cmd_set_pool *next;
    VkDescriptorPool handle;
    struct cmd_set sets[];
};

// The push block of each dispatch is at an offset of its own, told where a set is bound.
static VkDescriptorType *binding_types(const struct kc_kernel *info)
{
    static const VkDescriptorType types[] = {
        [KC_BINDING_SAMPLED] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        [KC_BINDING_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        [KC_BINDING_UNIFORM_TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
        [KC_BINDING_STORAGE_TEXELS] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        [KC_BINDING_SAMPLERS] = VK_DESCRIPTOR_TYPE_SAMPLER,
        [KC_BINDING_BUFFER] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [KC_BINDING_CLUSTER] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [KC_BINDING_DATA] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [KC_BINDING_PRINTF] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [KC_BINDING_SCRATCH] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [KC_BINDING_PUSH] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
    };
    VkDescriptorType *list = malloc(info->binding_count * sizeof *list);
    for (uint32_t i = 0; list && i < info->binding_count; i++)
        list[i] = types[info->bindings[i].kind];
    return list;
}

cl_int cmd_kernel_create(struct vk_device *device, const struct kc_kernel *info,
                         struct cmd_kernel **out)
{
    struct cmd_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    kernel->device = device;
    kernel->info = info;
    if (info->binding_count && !(kernel->types = binding_types(info))) {
        free(kernel);
        return CL_OUT_OF_HOST_MEMORY;
    }
    kernel->fixed_local = true;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE)
            kernel->fixed_local = false;
    pthread_mutex_init(&kernel->lock, NULL);
    *out = kernel;
    return CL_SUCCESS;
}

void cmd_kernel_destroy(struct cmd_kernel *kernel)
{
    if (!kernel)
        return;
    bool ours = kernel->device->fork_generation == thread_fork_generation();
    while (kernel->pipelines) {
        struct cmd_pipeline *next = kernel->pipelines->next;
        if (ours)
            vk_pipeline_destroy(kernel->device, kernel->pipelines->handle);
        free(kernel->pipelines);
        kernel->pipelines = next;
    }
    while (kernel->pools) {
        struct cmd_set_pool *next = kernel->pools->next;
        if (ours)
            vk_sets_destroy(kernel->device, kernel->pools->handle);
        free(kernel->pools);
        kernel->pools = next;
    }
    if (ours) {
        vk_set_layout_destroy(kernel->device, &kernel->layout);
        vk_module_destroy(kernel->device, kernel->module);
    }
    free(kernel->types);
    pthread_mutex_destroy(&kernel->lock);
    free(kernel);
}

static bool has_values(const struct cmd_kernel *kernel, const struct cmd_pipeline *pipeline,
                       const uint32_t *values)
{
    return !memcmp(pipeline->values, values, kernel->info->spec_count * sizeof *values);
}

static struct cmd_pipeline *find_pipeline(const struct cmd_kernel *kernel, const uint32_t *values)
{
    struct cmd_pipeline *pipeline = kernel->pipelines;
    while (pipeline && !has_values(kernel, pipeline, values))
        pipeline = pipeline->next;
    return pipeline;
}

// Vulkan allows to ask for full sub-groups only where they fill a row of the work-group.
static bool wants_full_subgroups(const struct cmd_kernel *kernel, const uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    uint32_t size = kernel->device->facts->props11.subgroupSize, row = info->reqd_local_size[0];
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE && info->specs[i].dim == 0)
            row = values[i];
    return info->uses_subgroups && kernel->device->facts->features.full_subgroups && size &&
           row % size == 0;
}

// Under the kernel's lock.
static VkResult get_layout(struct cmd_kernel *kernel, VkPipelineLayout *layout)
{
    VkResult result = VK_SUCCESS;
    if (kernel->types && !kernel->layout.pipeline)
        result = vk_set_layout_create(kernel->device, kernel->types, kernel->info->binding_count,
                                      &kernel->layout);
    *layout = kernel->types ? kernel->layout.pipeline : kernel->device->layout;
    return result;
}

// As many more sets as there are. Under the kernel's lock.
static VkResult make_sets(struct cmd_kernel *kernel)
{
    VkDescriptorSet handles[VK_SETS_MAX];
    uint32_t count = kernel->set_count < VK_SETS_MAX ? kernel->set_count : VK_SETS_MAX;
    count = count ? count : 1;
    struct cmd_set_pool *pool = calloc(1, sizeof *pool + count * sizeof *pool->sets);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = vk_sets_create(kernel->device, &kernel->layout, kernel->types,
                                     kernel->info->binding_count, count, &pool->handle, handles);
    if (result != VK_SUCCESS) {
        free(pool);
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        pool->sets[i] = (struct cmd_set){kernel->sets, handles[i]};
        kernel->sets = &pool->sets[i];
    }
    pool->next = kernel->pools;
    kernel->pools = pool;
    kernel->set_count += count;
    return VK_SUCCESS;
}

VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, struct cmd_set **out)
{
    VkPipelineLayout layout;
    pthread_mutex_lock(&kernel->lock);
    VkResult result = get_layout(kernel, &layout);
    if (result == VK_SUCCESS && !kernel->sets)
        result = make_sets(kernel);
    if (result == VK_SUCCESS) {
        *out = kernel->sets;
        kernel->sets = kernel->sets->next;
    }
    pthread_mutex_unlock(&kernel->lock);
    return result;
}

void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set)
{
    pthread_mutex_lock(&kernel->lock);
    set->next = kernel->sets;
    kernel->sets = set;
    pthread_mutex_unlock(&kernel->lock);
}

static bool names_formats(const struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_IMAGE_FORMAT)
            return true;
    return false;
}

// The kernel's module; with formats of images it is the pipeline's own, and goes after it.
static VkResult get_module(struct cmd_kernel *kernel, const uint32_t *values, bool named, VkShaderModule *module)
{
    const struct kc_kernel *info = kernel->info;
    size_t count;
    VkResult result = VK_SUCCESS;
    if (!named && !kernel->module)
        result = vk_module_create(kernel->device, info->spirv, info->spirv_words, &kernel->module);
    *module = kernel->module;
    if (!named)
        return result;
    uint32_t *words = kc_name_formats(info, values, &count);
    result = words ? vk_module_create(kernel->device, words, count, module) : VK_ERROR_OUT_OF_HOST_MEMORY;
    free(words);
    return result;
}

static uint32_t fill_constants(const struct kc_kernel *info, const uint32_t *values, struct vk_spec *specs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind != KC_SPEC_IMAGE_FORMAT)
            specs[count++] = (struct vk_spec){info->specs[i].id, values[i]};
    return count;
}

static VkResult make_pipeline(struct cmd_kernel *kernel, const uint32_t *values,
                              struct cmd_pipeline **out)
{
    const struct kc_kernel *info = kernel->info;
    struct vk_spec specs[VK_SPEC_MAX];
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    if (info->spec_count > VK_SPEC_MAX)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    struct cmd_pipeline *pipeline =
        malloc(sizeof *pipeline + info->spec_count * sizeof *pipeline->values);
    if (!pipeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(pipeline->values, values, info->spec_count * sizeof *values);
    uint32_t constants = fill_constants(info, values, specs);
    bool named = names_formats(info);
    uint64_t begin = thread_now_ns();
    VkPipelineLayout layout;
    result = get_layout(kernel, &layout);
    if (result == VK_SUCCESS)
        result = get_module(kernel, values, named, &module);
    if (result == VK_SUCCESS)
        result = vk_pipeline_create(kernel->device, layout, module, specs, constants,
                                    wants_full_subgroups(kernel, values), &pipeline->handle);
    if (named)
        vk_module_destroy(kernel->device, module);
    cmd_trace_build("pipeline of", info->name, begin);
    log_write(LOG_BUILD, "pipeline of %s: %s in %.2f ms", info->name, vk_result_name(result),
              (double)(thread_now_ns() - begin) * 1e-6);
    if (result != VK_SUCCESS) {
        free(pipeline);
        return result;
    }
    *out = pipeline;
    return VK_SUCCESS;
}

VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values, VkPipeline *handle, bool *made)
{
    VkResult result = VK_SUCCESS;
    struct cmd_pipeline *pipeline = atomic_load_explicit(&kernel->recent, memory_order_acquire);
    if (pipeline && has_values(kernel, pipeline, values)) {
        *handle = pipeline->handle;
        return VK_SUCCESS;
    }
    pthread_mutex_lock(&kernel->lock);
    pipeline = find_pipeline(kernel, values);
    if (!pipeline) {
        result = make_pipeline(kernel, values, &pipeline);
        if (result == VK_SUCCESS) {
            pipeline->next = kernel->pipelines;
            kernel->pipelines = pipeline;
            *made = true;
        }
    }
    if (result == VK_SUCCESS) {
        *handle = pipeline->handle;
        atomic_store_explicit(&kernel->recent, pipeline, memory_order_release);
    }
    pthread_mutex_unlock(&kernel->lock);
    return result;
}

// ---- local sizes --------------------------------------------------------------------------------

size_t cmd_kernel_max_group(const struct cmd_kernel *kernel)
{
    const uint32_t *reqd = kernel->info->reqd_local_size;
    if (reqd[0])
        return (size_t)reqd[0] * reqd[1] * reqd[2];
    return kernel->device->facts->props.limits.maxComputeWorkGroupInvocations;
}

size_t cmd_kernel_preferred_multiple(const struct cmd_kernel *kernel)
{
    return kernel->device->facts->props11.subgroupSize;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The largest divisor of `size` that is at most `limit`; multiples of `unit` go first.
static size_t best_divisor(size_t size, size_t limit, size_t unit)
{
    limit = min_size(limit, size);
    for (size_t n = limit / unit * unit; n >= unit; n -= unit)
        if (size % n == 0)
            return n;
    for (size_t n = limit; n > 1; n--)
        if (size % n == 0)
            return n;
    return 1;
}

void cmd_kernel_pick_local(const struct cmd_kernel *kernel, uint32_t dims, const size_t global[3],
                           size_t local[3])
{
    const VkPhysicalDeviceLimits *limits = &kernel->device->facts->props.limits;
    const struct kc_kernel *info = kernel->info;
    size_t unit = kernel->device->facts->props11.subgroupSize;
    size_t budget = min_size(256, limits->maxComputeWorkGroupInvocations), total = 1;
    for (uint32_t i = 0; i < 3; i++)
        local[i] = info->reqd_local_size[0] ? info->reqd_local_size[i] : 1;
    if (info->reqd_sub_groups && !info->reqd_local_size[0])
        local[0] = info->reqd_sub_groups * unit;
    if (info->reqd_sub_groups || info->reqd_local_size[0])
        return;
    for (uint32_t i = 0; i < dims; i++) {
        size_t limit = min_size(budget / total, limits->maxComputeWorkGroupSize[i]);
        if (i == 0 && dims > 1 && global[1] > 1)
            limit = min_size(limit, 64);
        local[i] = global[i] ? best_divisor(global[i], limit, i ? 1 : unit) : 1;
        total *= local[i];
    }
    // Sizes with few divisors: whole groups and a smaller one at the edge.
    if (total < unit && global[0] > local[0])
        local[0] = min_size(
            min_size(budget / (total / local[0]), limits->maxComputeWorkGroupSize[0]), global[0]);
}
