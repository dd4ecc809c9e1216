// SPDX-License-Identifier: Apache-2.0
// Descriptor set layouts, sets and the device's samplers. See descriptor.h.
#include "vulkan/descriptor.h"

#include <stdlib.h>
#include <string.h>

#include "vulkan/device.h"
#include "vulkan/memory.h"

// ---- samplers -----------------------------------------------------------------------------------

VkResult vk_samplers_create(struct vk_device *device)
{
    static const VkSamplerAddressMode modes[VK_SAMPLER_COUNT] = {
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        VK_SAMPLER_ADDRESS_MODE_REPEAT,
        VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
    };
    VkResult result = VK_SUCCESS;
    for (int i = 0; i < VK_SAMPLER_COUNT && result == VK_SUCCESS; i++) {
        VkSamplerCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
            .magFilter = VK_FILTER_LINEAR,
            .minFilter = VK_FILTER_LINEAR,
            .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
            .addressModeU = modes[i],
            .addressModeV = modes[i],
            .addressModeW = modes[i],
            .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
        };
        result = device->fn.CreateSampler(device->handle, &info, NULL, &device->samplers[i]);
    }
    return vk_device_note(device, result, "creating samplers");
}

void vk_samplers_destroy(struct vk_device *device)
{
    for (int i = 0; i < VK_SAMPLER_COUNT; i++)
        if (device->samplers[i])
            device->fn.DestroySampler(device->handle, device->samplers[i], NULL);
}

// ---- layouts ------------------------------------------------------------------------------------

static bool is_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER;
}

// Images alone stay in sets that are written once: they are used again and again.
bool vk_set_may_push(const struct vk_device *device, const VkDescriptorType *types, uint32_t count)
{
    uint32_t descriptors = 0;
    bool buffers = false;
    for (uint32_t i = 0; i < count; i++) {
        descriptors += is_sampler(types[i]) ? VK_SAMPLER_COUNT : 1;
        buffers |= types[i] == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        if (types[i] == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
            return false;
    }
    return buffers && device->fn.CmdPushDescriptorSetKHR &&
           descriptors <= device->facts->max_push_descriptors;
}

static VkResult make_set_layout(struct vk_device *device, const VkDescriptorType *types,
                                uint32_t count, bool pushed, VkDescriptorSetLayout *layout)
{
    VkDescriptorSetLayoutBinding *bindings = calloc(count, sizeof *bindings);
    if (!bindings)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = types[i],
            .descriptorCount = is_sampler(types[i]) ? VK_SAMPLER_COUNT : 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
            .pImmutableSamplers = is_sampler(types[i]) ? device->samplers : NULL,
        };
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = pushed ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VkResult result = device->fn.CreateDescriptorSetLayout(device->handle, &info, NULL, layout);
    free(bindings);
    return result;
}

VkResult vk_set_layout_create(struct vk_device *device, const VkDescriptorType *types,
                              uint32_t count, struct vk_set_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    layout->pushed = vk_set_may_push(device, types, count);
    result = make_set_layout(device, types, count, layout->pushed, &layout->set);
    if (result == VK_SUCCESS) {
        VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, device->facts->max_push_bytes};
        VkPipelineLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
            .setLayoutCount = 1,
            .pSetLayouts = &layout->set,
            .pushConstantRangeCount = 1,
            .pPushConstantRanges = &range,
        };
        result = device->fn.CreatePipelineLayout(device->handle, &info, NULL, &layout->pipeline);
    }
    if (result != VK_SUCCESS)
        vk_set_layout_destroy(device, layout);
    return vk_device_note(device, result, "creating a descriptor set layout");
}

void vk_set_layout_destroy(struct vk_device *device, struct vk_set_layout *layout)
{
    if (layout->pipeline)
        device->fn.DestroyPipelineLayout(device->handle, layout->pipeline, NULL);
    if (layout->set)
        device->fn.DestroyDescriptorSetLayout(device->handle, layout->set, NULL);
    memset(layout, 0, sizeof *layout);
}

// ---- sets ---------------------------------------------------------------------------------------

static VkResult make_pool(struct vk_device *device, const VkDescriptorType *types, uint32_t count,
                          VkDescriptorPool *pool)
{
    static const VkDescriptorType kinds[] = {
        VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
        VK_DESCRIPTOR_TYPE_SAMPLER};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    VkDescriptorPoolSize sizes[KINDS];
    uint32_t used = 0;
    for (int k = 0; k < KINDS; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; i++)
            if (types[i] == kinds[k])
                n += is_sampler(types[i]) ? VK_SAMPLER_COUNT : 1;
        if (n)
            sizes[used++] = (VkDescriptorPoolSize){kinds[k], n};
    }
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = used,
        .pPoolSizes = sizes,
    };
    return device->fn.CreateDescriptorPool(device->handle, &info, NULL, pool);
}

VkResult vk_set_create(struct vk_device *device, const struct vk_set_layout *layout,
                       const VkDescriptorType *types, uint32_t count, struct vk_set *set)
{
    memset(set, 0, sizeof *set);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    result = make_pool(device, types, count, &set->pool);
    if (result == VK_SUCCESS) {
        VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = set->pool,
            .descriptorSetCount = 1,
            .pSetLayouts = &layout->set,
        };
        result = device->fn.AllocateDescriptorSets(device->handle, &info, &set->handle);
    }
    if (result != VK_SUCCESS)
        vk_set_destroy(device, set);
    return vk_device_note(device, result, "creating a descriptor set");
}

void vk_set_destroy(struct vk_device *device, struct vk_set *set)
{
    if (set->pool)
        device->fn.DestroyDescriptorPool(device->handle, set->pool, NULL);
    memset(set, 0, sizeof *set);
}

// ---- writing ------------------------------------------------------------------------------------

struct vk_descriptor vk_storage_descriptor(const struct vk_buffer *buffer, VkDeviceSize offset,
                                           uint32_t *rest)
{
    VkDeviceSize align = buffer->device->facts->props.limits.minStorageBufferOffsetAlignment;
    VkDeviceSize at = buffer->offset + offset;
    *rest = (uint32_t)(at % align);
    VkDeviceSize size = (buffer->size - offset + *rest + 15) / 16 * 16;
    return (struct vk_descriptor){.buffer = {buffer->handle, at - *rest, size}};
}

enum { ONCE = 16 }; // written in one call

struct writes {
    VkWriteDescriptorSet list[ONCE];
    VkDescriptorImageInfo images[ONCE];
};

// Writes of the descriptors from *next on, as many as there is room for; samplers need none.
static uint32_t make_writes(struct writes *writes, VkDescriptorSet set,
                            const VkDescriptorType *types, const struct vk_descriptor *descriptors,
                            uint32_t count, uint32_t *next)
{
    uint32_t used = 0;
    for (; *next < count && used < ONCE; (*next)++) {
        const struct vk_descriptor *descriptor = &descriptors[*next];
        if (is_sampler(types[*next]))
            continue;
        writes->images[used] =
            (VkDescriptorImageInfo){VK_NULL_HANDLE, descriptor->image, VK_IMAGE_LAYOUT_GENERAL};
        writes->list[used] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = *next,
            .descriptorCount = 1,
            .descriptorType = types[*next],
            .pImageInfo = &writes->images[used],
            .pBufferInfo = &descriptor->buffer,
            .pTexelBufferView = &descriptor->texels,
        };
        used++;
    }
    return used;
}

void vk_set_write(struct vk_device *device, const struct vk_set *set, const VkDescriptorType *types,
                  const struct vk_descriptor *descriptors, uint32_t count)
{
    struct writes writes;
    uint32_t next = 0, used;
    while ((used = make_writes(&writes, set->handle, types, descriptors, count, &next)))
        device->fn.UpdateDescriptorSets(device->handle, used, writes.list, 0, NULL);
}

void vk_set_push(struct vk_device *device, VkCommandBuffer commands,
                 const struct vk_set_layout *layout, const VkDescriptorType *types,
                 const struct vk_descriptor *descriptors, uint32_t first, uint32_t count)
{
    struct writes writes;
    uint32_t next = first, used;
    while (
        (used = make_writes(&writes, VK_NULL_HANDLE, types, descriptors, first + count, &next)))
        device->fn.CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                           layout->pipeline, 0, used, writes.list);
}
