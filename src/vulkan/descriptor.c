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

static VkResult make_set_layout(struct vk_device *device, const VkDescriptorType *types,
                                uint32_t count, VkDescriptorSetLayout *layout)
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
    result = make_set_layout(device, types, count, &layout->set);
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
                          uint32_t set_count, VkDescriptorPool *pool)
{
    static const VkDescriptorType kinds[] = {
        VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
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
            sizes[used++] = (VkDescriptorPoolSize){kinds[k], n * set_count};
    }
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = set_count,
        .poolSizeCount = used,
        .pPoolSizes = sizes,
    };
    return device->fn.CreateDescriptorPool(device->handle, &info, NULL, pool);
}

VkResult vk_sets_create(struct vk_device *device, const struct vk_set_layout *layout,
                        const VkDescriptorType *types, uint32_t count, uint32_t set_count,
                        VkDescriptorPool *pool, VkDescriptorSet *sets)
{
    VkDescriptorSetLayout layouts[VK_SETS_MAX];
    *pool = VK_NULL_HANDLE;
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    result = make_pool(device, types, count, set_count, pool);
    if (result == VK_SUCCESS) {
        for (uint32_t i = 0; i < set_count; i++)
            layouts[i] = layout->set;
        VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = *pool,
            .descriptorSetCount = set_count,
            .pSetLayouts = layouts,
        };
        result = device->fn.AllocateDescriptorSets(device->handle, &info, sets);
        if (result != VK_SUCCESS)
            vk_sets_destroy(device, *pool);
    }
    return vk_device_note(device, result, "creating descriptor sets");
}

void vk_sets_destroy(struct vk_device *device, VkDescriptorPool pool)
{
    device->fn.DestroyDescriptorPool(device->handle, pool, NULL);
}

// ---- writing ------------------------------------------------------------------------------------

union vk_descriptor vk_storage_descriptor(const struct vk_buffer *buffer, VkDeviceSize offset,
                                           uint32_t *rest)
{
    VkDeviceSize align = vk_binding_align(buffer->device->facts);
    VkDeviceSize at = buffer->offset + offset;
    *rest = (uint32_t)(at & (align - 1)); // align is a power of two
    VkDeviceSize size = (buffer->size - offset + *rest + 15) / 16 * 16;
    return (union vk_descriptor){.buffer = {buffer->handle, at - *rest, size}};
}

void vk_set_write(struct vk_device *device, VkDescriptorSet set, const VkDescriptorType *types,
                  const union vk_descriptor *descriptors, uint32_t count)
{
    enum { ONCE = 16 };
    VkWriteDescriptorSet writes[ONCE];
    VkDescriptorImageInfo images[ONCE];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_sampler(types[i]))
            continue;
        images[used] =
            (VkDescriptorImageInfo){VK_NULL_HANDLE, descriptors[i].image, VK_IMAGE_LAYOUT_GENERAL};
        writes[used] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = types[i],
            .pImageInfo = &images[used],
            .pBufferInfo = &descriptors[i].buffer,
            .pTexelBufferView = &descriptors[i].texels,
        };
        if (++used < ONCE)
            continue;
        device->fn.UpdateDescriptorSets(device->handle, used, writes, 0, NULL);
        used = 0;
    }
    if (used)
        device->fn.UpdateDescriptorSets(device->handle, used, writes, 0, NULL);
}
