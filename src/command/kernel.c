// SPDX-License-Identifier: Apache-2.0
// Kernels on a device: what their pipelines share, and the descriptor sets of their launches. See
// pipelines.c for the pipelines.
#include "command/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "command/bindings.h"
#include "command/internal.h"
#include "util/thread.h"

struct cmd_set_pool {
    struct cmd_set_pool *next;
    VkDescriptorPool handle;
    struct cmd_set sets[];
};

// The push block of each dispatch has its own dynamic offset, given when the set is bound.
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

static void set_guard(struct cmd_kernel *kernel)
{
    const struct kc_kernel *info = kernel->info;
    kernel->guard = -1;
    for (uint32_t i = 0; i < info->push_count; i++)
        if (info->push[i].kind == KC_PUSH_ITEMS)
            kernel->guard_dims |= 1u << info->push[i].dim;
    for (uint32_t i = 0; i < info->spec_count && kernel->guard_dims; i++)
        if (info->specs[i].kind == KC_SPEC_GUARD) {
            kernel->guard = (int)i;
            kernel->sees_groups = info->specs[i].arg;
        }
}

cl_int cmd_kernel_create(struct vk_device *device, const struct kc_kernel *info, bool uniform,
                         struct cmd_kernel **out)
{
    struct cmd_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    kernel->device = device;
    kernel->info = info;
    kernel->uniform = uniform;
    set_guard(kernel);
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
    if (kernel && !cmd_kernel_orphan(kernel))
        cmd_kernel_free(kernel);
}

void cmd_kernel_free(struct cmd_kernel *kernel)
{
    bool ours = kernel->device->fork_generation == thread_fork_generation();
    cmd_pipelines_free(kernel, ours);
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
    free(kernel->picks);
    pthread_mutex_destroy(&kernel->lock);
    free(kernel);
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

VkResult cmd_kernel_layout(struct cmd_kernel *kernel, VkPipelineLayout *layout)
{
    pthread_mutex_lock(&kernel->lock);
    VkResult result = get_layout(kernel, layout);
    pthread_mutex_unlock(&kernel->lock);
    return result;
}

VkResult cmd_kernel_module(struct cmd_kernel *kernel, VkShaderModule *module)
{
    const struct kc_kernel *info = kernel->info;
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&kernel->lock);
    if (!kernel->module)
        result = vk_module_create(kernel->device, info->spirv, info->spirv_words, &kernel->module);
    *module = kernel->module;
    pthread_mutex_unlock(&kernel->lock);
    return result;
}

// Doubles the number of sets. Under the kernel's lock.
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
        pool->sets[i] = (struct cmd_set){.next = kernel->sets, .handle = handles[i]};
        kernel->sets = &pool->sets[i];
    }
    pool->next = kernel->pools;
    kernel->pools = pool;
    kernel->set_count += count;
    return VK_SUCCESS;
}

static bool has_keys(const struct cmd_set *set, const struct cmd_key *keys, uint32_t count)
{
    return count && set->key_count == count && !memcmp(set->keys, keys, count * sizeof *keys);
}

// Under the kernel's lock.
static VkResult take_unused(struct cmd_kernel *kernel, struct cmd_set **out)
{
    VkPipelineLayout layout;
    VkResult result = get_layout(kernel, &layout);
    if (result == VK_SUCCESS && !kernel->sets)
        result = make_sets(kernel);
    if (result != VK_SUCCESS)
        return result;
    *out = kernel->sets;
    kernel->sets = kernel->sets->next;
    return VK_SUCCESS;
}

VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, const struct cmd_key *keys, uint32_t count, struct cmd_set **out,
                             bool *written)
{
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&kernel->lock);
    struct cmd_set *recent = kernel->written_set;
    if (recent && recent->uses && has_keys(recent, keys, count))
        *out = recent;
    else
        result = take_unused(kernel, out);
    if (result == VK_SUCCESS) {
        *written = has_keys(*out, keys, count);
        (*out)->uses++;
        if (!*written) {
            (*out)->key_count = 0;
            kernel->written_set = kernel->written_set == *out ? NULL : kernel->written_set;
        } else {
            kernel->written_set = *out;
        }
    }
    pthread_mutex_unlock(&kernel->lock);
    return result;
}

void cmd_kernel_set_written(struct cmd_kernel *kernel, struct cmd_set *set, const struct cmd_key *keys, uint32_t count)
{
    pthread_mutex_lock(&kernel->lock);
    memcpy(set->keys, keys, count * sizeof *keys);
    set->key_count = count;
    kernel->written_set = set;
    pthread_mutex_unlock(&kernel->lock);
}

void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set)
{
    pthread_mutex_lock(&kernel->lock);
    if (--set->uses == 0) {
        set->next = kernel->sets;
        kernel->sets = set;
    }
    pthread_mutex_unlock(&kernel->lock);
}
