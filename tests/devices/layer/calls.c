// SPDX-License-Identifier: Apache-2.0
// Checks calls against the limits that were reported to the application.
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WITHIN(value, limit, what)                                                                 \
    do {                                                                                           \
        unsigned long long is_ = (value), most_ = (limit);                                         \
        if (is_ > most_)                                                                           \
            complain("%s: %llu, %s is %llu", what, is_, #limit, most_);                            \
    } while (0)

// ---- buffers ------------------------------------------------------------------------------------

static VkResult VKAPI_CALL layer_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                              const VkAllocationCallbacks *own, VkBuffer *out)
{
    struct open_device *open = device_of(device);
    WITHIN(info->size, open->props13.maxBufferSize, "a buffer's size");
    if (info->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT &&
        !feature_on(open, "bufferDeviceAddress"))
        complain("a buffer with an address without bufferDeviceAddress");
    if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT && !feature_on(open, "sparseBinding"))
        complain("a sparse buffer without sparseBinding");
    VkResult result = NEXT_OF(device, CreateBuffer)(device, info, own, out);
    if (result != VK_SUCCESS)
        return result;
    struct thing *thing = thing_add(THING_BUFFER, (uint64_t)*out);
    thing->size = info->size;
    thing->usage = info->usage;
    return result;
}

static void VKAPI_CALL layer_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                           const VkAllocationCallbacks *own)
{
    if (buffer)
        thing_drop(THING_BUFFER, (uint64_t)buffer);
    NEXT_OF(device, DestroyBuffer)(device, buffer, own);
}

static uint32_t texel_bytes(VkFormat format)
{
    static const struct {
        VkFormat last;
        uint32_t bytes;
    } sizes[] = {{VK_FORMAT_R4G4_UNORM_PACK8, 1},      {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2},
                 {VK_FORMAT_R8_SRGB, 1},               {VK_FORMAT_R8G8_SRGB, 2},
                 {VK_FORMAT_B8G8R8_SRGB, 3},           {VK_FORMAT_A2B10G10R10_SINT_PACK32, 4},
                 {VK_FORMAT_R16_SFLOAT, 2},            {VK_FORMAT_R16G16_SFLOAT, 4},
                 {VK_FORMAT_R16G16B16_SFLOAT, 6},      {VK_FORMAT_R16G16B16A16_SFLOAT, 8},
                 {VK_FORMAT_R32_SFLOAT, 4},            {VK_FORMAT_R32G32_SFLOAT, 8},
                 {VK_FORMAT_R32G32B32_SFLOAT, 12},     {VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (format <= sizes[i].last)
            return sizes[i].bytes;
    return 16;
}

static VkResult VKAPI_CALL layer_CreateBufferView(VkDevice device,
                                                  const VkBufferViewCreateInfo *info,
                                                  const VkAllocationCallbacks *own,
                                                  VkBufferView *out)
{
    struct open_device *open = device_of(device);
    struct thing *buffer = thing_find(THING_BUFFER, (uint64_t)info->buffer);
    VkFormatFeatureFlags has = reported_format(open->physical, info->format).bufferFeatures;
    VkDeviceSize range =
        info->range == VK_WHOLE_SIZE ? buffer->size - info->offset : info->range;
    if (info->offset % open->limits.minTexelBufferOffsetAlignment)
        complain("a view of texels at %llu: minTexelBufferOffsetAlignment is %llu",
                 (unsigned long long)info->offset,
                 (unsigned long long)open->limits.minTexelBufferOffsetAlignment);
    WITHIN(range / texel_bytes(info->format), open->limits.maxTexelBufferElements,
           "texels of a view");
    if (!(has & (VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT)))
        complain("texels of format %d, which is none for buffers", (int)info->format);
    VkResult result = NEXT_OF(device, CreateBufferView)(device, info, own, out);
    if (result == VK_SUCCESS)
        image_note_view(THING_TEXELS, (uint64_t)*out, info->format);
    return result;
}

// ---- images -------------------------------------------------------------------------------------

static VkResult VKAPI_CALL layer_CreateImage(VkDevice device, const VkImageCreateInfo *info,
                                             const VkAllocationCallbacks *own, VkImage *out)
{
    struct open_device *open = device_of(device);
    const VkPhysicalDeviceLimits *limits = &open->limits;
    const uint32_t sides[] = {limits->maxImageDimension1D, limits->maxImageDimension2D,
                              limits->maxImageDimension3D};
    VkFormatProperties reported = reported_format(open->physical, info->format);
    VkFormatFeatureFlags has = info->tiling == VK_IMAGE_TILING_LINEAR ? reported.linearTilingFeatures
                                                                      : reported.optimalTilingFeatures;
    WITHIN(info->extent.width, sides[info->imageType], "an image's width");
    WITHIN(info->extent.height, sides[info->imageType], "an image's height");
    WITHIN(info->extent.depth, limits->maxImageDimension3D, "an image's depth");
    WITHIN(info->arrayLayers, limits->maxImageArrayLayers, "an image's layers");
    if (!has || (!(info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) &&
                 ((info->usage & VK_IMAGE_USAGE_STORAGE_BIT &&
                   !(has & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) ||
                  (info->usage & VK_IMAGE_USAGE_SAMPLED_BIT &&
                   !(has & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)))))
        complain("an image of format %d for usage %x", (int)info->format, info->usage);
    if (info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT && !feature_on(open, "sparseBinding"))
        complain("a sparse image without sparseBinding");
    return NEXT_OF(device, CreateImage)(device, info, own, out);
}

static VkResult VKAPI_CALL layer_CreateImageView(VkDevice device, const VkImageViewCreateInfo *info,
                                                 const VkAllocationCallbacks *own, VkImageView *out)
{
    VkFormatFeatureFlags has =
        reported_format(device_of(device)->physical, info->format).optimalTilingFeatures;
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        const VkImageViewUsageCreateInfo *usage = (const void *)at;
        if (at->sType != VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO)
            continue;
        if ((usage->usage & VK_IMAGE_USAGE_STORAGE_BIT &&
             !(has & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) ||
            (usage->usage & VK_IMAGE_USAGE_SAMPLED_BIT &&
             !(has & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)))
            complain("a view of format %d for usage %x", (int)info->format, usage->usage);
    }
    VkResult result = NEXT_OF(device, CreateImageView)(device, info, own, out);
    if (result == VK_SUCCESS)
        image_note_view(THING_VIEW, (uint64_t)*out, info->format);
    return result;
}

// ---- descriptors --------------------------------------------------------------------------------

static VkResult VKAPI_CALL layer_CreateDescriptorSetLayout(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *info, const VkAllocationCallbacks *own,
    VkDescriptorSetLayout *out)
{
    VkResult result = NEXT_OF(device, CreateDescriptorSetLayout)(device, info, own, out);
    if (result != VK_SUCCESS)
        return result;
    struct thing *thing = thing_add(THING_LAYOUT, (uint64_t)*out);
    uint64_t all = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        if (info->pBindings[i].descriptorType >= 16)
            complain("a descriptor of type %d", (int)info->pBindings[i].descriptorType);
        thing->descriptors[info->pBindings[i].descriptorType] += info->pBindings[i].descriptorCount;
        all += info->pBindings[i].descriptorCount;
        if (thing->binding_count < 64)
            thing->bindings[thing->binding_count++] = info->pBindings[i].binding;
    }
    WITHIN(all, device_of(device)->props11.maxPerSetDescriptors, "descriptors of a set");
    return result;
}

static void VKAPI_CALL layer_DestroyDescriptorSetLayout(VkDevice device,
                                                        VkDescriptorSetLayout layout,
                                                        const VkAllocationCallbacks *own)
{
    if (layout)
        thing_drop(THING_LAYOUT, (uint64_t)layout);
    NEXT_OF(device, DestroyDescriptorSetLayout)(device, layout, own);
}

// All stages used are compute stages.
static void check_descriptors(const VkPhysicalDeviceLimits *limits, const uint32_t *n)
{
    uint32_t samplers = n[VK_DESCRIPTOR_TYPE_SAMPLER] + n[VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER];
    uint32_t uniform = n[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] + n[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC];
    uint32_t stored = n[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER] + n[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC];
    uint32_t sampled = n[VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE] + n[VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER] +
                       n[VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER];
    uint32_t images = n[VK_DESCRIPTOR_TYPE_STORAGE_IMAGE] + n[VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER];
    WITHIN(samplers, limits->maxPerStageDescriptorSamplers, "samplers");
    WITHIN(uniform, limits->maxPerStageDescriptorUniformBuffers, "uniform buffers");
    WITHIN(stored, limits->maxPerStageDescriptorStorageBuffers, "storage buffers");
    WITHIN(sampled, limits->maxPerStageDescriptorSampledImages, "sampled images");
    WITHIN(images, limits->maxPerStageDescriptorStorageImages, "storage images");
    WITHIN(uniform + stored + sampled + images, limits->maxPerStageResources, "resources");
    WITHIN(samplers, limits->maxDescriptorSetSamplers, "samplers of all sets");
    WITHIN(n[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC], limits->maxDescriptorSetUniformBuffersDynamic,
           "dynamic uniform buffers of all sets");
    WITHIN(n[VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC], limits->maxDescriptorSetStorageBuffersDynamic,
           "dynamic storage buffers of all sets");
    WITHIN(stored, limits->maxDescriptorSetStorageBuffers, "storage buffers of all sets");
    WITHIN(sampled, limits->maxDescriptorSetSampledImages, "sampled images of all sets");
    WITHIN(images, limits->maxDescriptorSetStorageImages, "storage images of all sets");
}

static VkResult VKAPI_CALL layer_CreatePipelineLayout(VkDevice device,
                                                      const VkPipelineLayoutCreateInfo *info,
                                                      const VkAllocationCallbacks *own,
                                                      VkPipelineLayout *out)
{
    const VkPhysicalDeviceLimits *limits = &device_of(device)->limits;
    struct thing sum = {.kind = THING_PIPELINE_LAYOUT};
    WITHIN(info->setLayoutCount, limits->maxBoundDescriptorSets, "descriptor sets");
    for (uint32_t s = 0; s < info->setLayoutCount; s++) {
        const struct thing *set = thing_find(THING_LAYOUT, (uint64_t)info->pSetLayouts[s]);
        for (int i = 0; i < 16; i++)
            sum.descriptors[i] += set->descriptors[i];
        for (uint32_t i = 0; i < set->binding_count && sum.binding_count < 64; i++)
            sum.bindings[sum.binding_count++] = set->bindings[i] | s << 16;
    }
    check_descriptors(limits, sum.descriptors);
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        WITHIN(range->offset + range->size, limits->maxPushConstantsSize, "push constants of a layout");
        if (range->offset + range->size > sum.push_bytes)
            sum.push_bytes = range->offset + range->size;
    }
    VkResult result = NEXT_OF(device, CreatePipelineLayout)(device, info, own, out);
    if (result != VK_SUCCESS)
        return result;
    struct thing *thing = thing_add(THING_PIPELINE_LAYOUT, (uint64_t)*out);
    memcpy(thing->descriptors, sum.descriptors, sizeof sum.descriptors);
    memcpy(thing->bindings, sum.bindings, sizeof sum.bindings);
    thing->binding_count = sum.binding_count;
    thing->push_bytes = sum.push_bytes;
    return result;
}

static void VKAPI_CALL layer_DestroyPipelineLayout(VkDevice device, VkPipelineLayout layout,
                                                   const VkAllocationCallbacks *own)
{
    if (layout)
        thing_drop(THING_PIPELINE_LAYOUT, (uint64_t)layout);
    NEXT_OF(device, DestroyPipelineLayout)(device, layout, own);
}

static void check_buffer(const VkPhysicalDeviceLimits *limits, VkDescriptorType type,
                         const VkDescriptorBufferInfo *info)
{
    bool stored = type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                  type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    VkDeviceSize align = stored ? limits->minStorageBufferOffsetAlignment
                                : limits->minUniformBufferOffsetAlignment;
    if (!info->buffer)
        complain("a descriptor of no buffer");
    const struct thing *buffer = thing_find(THING_BUFFER, (uint64_t)info->buffer);
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? buffer->size - info->offset : info->range;
    if (info->offset % align)
        complain("a buffer is bound at %llu: its offset's alignment is %llu",
                 (unsigned long long)info->offset, (unsigned long long)align);
    if (info->offset + range > buffer->size || !range)
        complain("a buffer of %llu bytes is bound from %llu, %llu bytes",
                 (unsigned long long)buffer->size, (unsigned long long)info->offset,
                 (unsigned long long)range);
    if (stored)
        WITHIN(range, limits->maxStorageBufferRange, "bytes of a storage buffer");
    else
        WITHIN(range, limits->maxUniformBufferRange, "bytes of a uniform buffer");
    if (!(buffer->usage &
          (stored ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)))
        complain("a buffer is bound that was not made for it");
}

static void check_writes(VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t w = 0; w < count; w++)
        for (uint32_t i = 0; i < writes[w].descriptorCount; i++)
            if (writes[w].descriptorType >= VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER &&
                writes[w].descriptorType <= VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
                check_buffer(&device_of(device)->limits, writes[w].descriptorType,
                             &writes[w].pBufferInfo[i]);
}

static void VKAPI_CALL layer_UpdateDescriptorSets(VkDevice device, uint32_t count,
                                                  const VkWriteDescriptorSet *writes,
                                                  uint32_t copy_count,
                                                  const VkCopyDescriptorSet *copies)
{
    check_writes(device, count, writes);
    for (uint32_t i = 0; i < count; i++)
        image_note_write(&writes[i]);
    NEXT_OF(device, UpdateDescriptorSets)(device, count, writes, copy_count, copies);
}

static void VKAPI_CALL layer_CmdPushDescriptorSetKHR(VkCommandBuffer commands,
                                                     VkPipelineBindPoint point,
                                                     VkPipelineLayout layout, uint32_t set,
                                                     uint32_t count,
                                                     const VkWriteDescriptorSet *writes)
{
    struct open_device *open = device_of(commands);
    check_writes(open->device, count, writes);
    NEXT_OF(commands, CmdPushDescriptorSetKHR)(commands, point, layout, set, count, writes);
}

static void VKAPI_CALL layer_CmdBindDescriptorSets(VkCommandBuffer commands,
                                                   VkPipelineBindPoint point,
                                                   VkPipelineLayout layout, uint32_t first,
                                                   uint32_t count, const VkDescriptorSet *sets,
                                                   uint32_t dynamic_count, const uint32_t *dynamic)
{
    const VkPhysicalDeviceLimits *limits = &device_of(commands)->limits;
    WITHIN(first + count, limits->maxBoundDescriptorSets, "sets bound");
    for (uint32_t i = 0; i < dynamic_count; i++)
        if (dynamic[i] % limits->minStorageBufferOffsetAlignment)
            complain("a buffer is bound at the dynamic offset %u", dynamic[i]);
    if (!first && count)
        image_bind_set(commands, sets[0]);
    NEXT_OF(commands, CmdBindDescriptorSets)(commands, point, layout, first, count, sets,
                                             dynamic_count, dynamic);
}

static VkResult VKAPI_CALL layer_CreateSampler(VkDevice device, const VkSamplerCreateInfo *info,
                                               const VkAllocationCallbacks *own, VkSampler *out)
{
    if (info->anisotropyEnable && !feature_on(device_of(device), "samplerAnisotropy"))
        complain("an anisotropic sampler without samplerAnisotropy");
    if (info->addressModeU == VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE &&
        !feature_on(device_of(device), "samplerMirrorClampToEdge"))
        complain("a sampler that mirrors once without samplerMirrorClampToEdge");
    return NEXT_OF(device, CreateSampler)(device, info, own, out);
}

// ---- modules and pipelines ----------------------------------------------------------------------

static void keep_module(const uint32_t *words, size_t count)
{
    const char *folder = getenv("DEVICES_MODULES");
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char path[1024];
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%016llx.spv", folder, (unsigned long long)hash);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(words, sizeof *words, count, file);
    fclose(file);
}

static VkResult VKAPI_CALL layer_CreateShaderModule(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *own,
                                                    VkShaderModule *out)
{
    size_t count = info->codeSize / sizeof *info->pCode;
    keep_module(info->pCode, count);
    module_check(device_of(device), info->pCode, count);
    VkResult result = NEXT_OF(device, CreateShaderModule)(device, info, own, out);
    if (result != VK_SUCCESS)
        return result;
    struct thing *thing = thing_add(THING_MODULE, (uint64_t)*out);
    thing->words = malloc(info->codeSize);
    if (!thing->words)
        complain("no memory for the layer");
    memcpy(thing->words, info->pCode, info->codeSize);
    thing->word_count = count;
    return result;
}

static void VKAPI_CALL layer_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                 const VkAllocationCallbacks *own)
{
    if (module)
        thing_drop(THING_MODULE, (uint64_t)module);
    NEXT_OF(device, DestroyShaderModule)(device, module, own);
}

static void check_stage(const struct open_device *open, const VkComputePipelineCreateInfo *info)
{
    VkPipelineShaderStageCreateFlags flags = info->stage.flags;
    if (flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT &&
        !feature_on(open, "computeFullSubgroups"))
        complain("a pipeline with full sub-groups without computeFullSubgroups");
    if (flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT &&
        !feature_on(open, "subgroupSizeControl"))
        complain("a pipeline with sub-groups of any size without subgroupSizeControl");
    for (const VkBaseInStructure *at = info->stage.pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO &&
            (!feature_on(open, "subgroupSizeControl") ||
             !(open->props13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)))
            complain("a pipeline with sub-groups of a size of its own without subgroupSizeControl");
    module_check_pipeline(open, thing_find(THING_MODULE, (uint64_t)info->stage.module),
                          thing_find(THING_PIPELINE_LAYOUT, (uint64_t)info->layout),
                          info->stage.pSpecializationInfo);
}

static VkResult VKAPI_CALL layer_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                        uint32_t count,
                                                        const VkComputePipelineCreateInfo *info,
                                                        const VkAllocationCallbacks *own,
                                                        VkPipeline *out)
{
    for (uint32_t i = 0; i < count; i++)
        check_stage(device_of(device), &info[i]);
    VkResult result = NEXT_OF(device, CreateComputePipelines)(device, cache, count, info, own, out);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++)
        image_note_pipeline(out[i], thing_find(THING_MODULE, (uint64_t)info[i].stage.module));
    return result;
}

static void VKAPI_CALL layer_CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                             VkPipeline pipeline)
{
    image_bind_pipeline(commands, pipeline);
    NEXT_OF(commands, CmdBindPipeline)(commands, point, pipeline);
}

// ---- commands -----------------------------------------------------------------------------------

static void VKAPI_CALL layer_CmdPushConstants(VkCommandBuffer commands, VkPipelineLayout layout,
                                              VkShaderStageFlags stages, uint32_t offset,
                                              uint32_t size, const void *values)
{
    const struct thing *thing = thing_find(THING_PIPELINE_LAYOUT, (uint64_t)layout);
    WITHIN(offset + size, thing->push_bytes, "push constants");
    if (offset % 4 || size % 4 || !size)
        complain("push constants: %u bytes at %u", size, offset);
    NEXT_OF(commands, CmdPushConstants)(commands, layout, stages, offset, size, values);
}

static void only_beside_kernels(VkCommandBuffer commands, const char *what)
{
    if (thing_seek(THING_COPIES, (uint64_t)(uintptr_t)commands))
        complain("%s on a queue that only copies", what);
}

static void check_groups(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    only_beside_kernels(commands, "a dispatch");
    const uint32_t *most = device_of(commands)->limits.maxComputeWorkGroupCount;
    WITHIN(x, most[0], "work-groups");
    WITHIN(y, most[1], "work-groups");
    WITHIN(z, most[2], "work-groups");
}

static void VKAPI_CALL layer_CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y,
                                         uint32_t z)
{
    check_groups(commands, x, y, z);
    image_check_dispatch(commands);
    NEXT_OF(commands, CmdDispatch)(commands, x, y, z);
}

static void VKAPI_CALL layer_CmdDispatchBase(VkCommandBuffer commands, uint32_t bx, uint32_t by,
                                             uint32_t bz, uint32_t x, uint32_t y, uint32_t z)
{
    check_groups(commands, bx + x, by + y, bz + z);
    image_check_dispatch(commands);
    NEXT_OF(commands, CmdDispatchBase)(commands, bx, by, bz, x, y, z);
}

static void VKAPI_CALL layer_CmdFillBuffer(VkCommandBuffer commands, VkBuffer buffer,
                                           VkDeviceSize offset, VkDeviceSize size, uint32_t value)
{
    if (offset % 4 || (size != VK_WHOLE_SIZE && size % 4))
        complain("a fill of %llu bytes from %llu", (unsigned long long)size,
                 (unsigned long long)offset);
    NEXT_OF(commands, CmdFillBuffer)(commands, buffer, offset, size, value);
}

static void VKAPI_CALL layer_CmdUpdateBuffer(VkCommandBuffer commands, VkBuffer buffer,
                                             VkDeviceSize offset, VkDeviceSize size,
                                             const void *data)
{
    if (offset % 4 || size % 4 || size > 65536)
        complain("an update of %llu bytes at %llu", (unsigned long long)size,
                 (unsigned long long)offset);
    NEXT_OF(commands, CmdUpdateBuffer)(commands, buffer, offset, size, data);
}

static void check_stamps(VkCommandBuffer commands)
{
    const struct description *d = described();
    const struct open_device *open = device_of(commands);
    for (uint32_t i = 0; i < d->queue_count; i++)
        if (open->families >> i & 1 && !d->queues[i].timestampValidBits)
            complain("a time stamp on a queue that has none");
}

static void VKAPI_CALL layer_CmdWriteTimestamp(VkCommandBuffer commands,
                                               VkPipelineStageFlagBits stage, VkQueryPool pool,
                                               uint32_t query)
{
    check_stamps(commands);
    NEXT_OF(commands, CmdWriteTimestamp)(commands, stage, pool, query);
}

static void VKAPI_CALL layer_CmdWriteTimestamp2(VkCommandBuffer commands,
                                                VkPipelineStageFlags2 stage, VkQueryPool pool,
                                                uint32_t query)
{
    check_stamps(commands);
    NEXT_OF(commands, CmdWriteTimestamp2)(commands, stage, pool, query);
}

static void VKAPI_CALL layer_CmdPipelineBarrier2(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        if ((info->pMemoryBarriers[i].srcStageMask | info->pMemoryBarriers[i].dstStageMask) &
            VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)
            only_beside_kernels(commands, "a barrier for kernels");
    NEXT_OF(commands, CmdPipelineBarrier2)(commands, info);
}

static void VKAPI_CALL layer_CmdResetQueryPool(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count)
{
    only_beside_kernels(commands, "a reset of queries");
    NEXT_OF(commands, CmdResetQueryPool)(commands, pool, first, count);
}

static VkResult VKAPI_CALL layer_CreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                                                 const VkAllocationCallbacks *own, VkSemaphore *out)
{
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        const VkSemaphoreTypeCreateInfo *type = (const void *)at;
        if (at->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO &&
            type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE &&
            !feature_on(device_of(device), "timelineSemaphore"))
            complain("a timeline semaphore without timelineSemaphore");
    }
    return NEXT_OF(device, CreateSemaphore)(device, info, own, out);
}

static const struct row rows[] = {
    ROW(CreateBuffer) ROW(DestroyBuffer) ROW(CreateBufferView) ROW(CreateImage) ROW(CreateImageView)
        ROW(CreateDescriptorSetLayout) ROW(DestroyDescriptorSetLayout) ROW(CreatePipelineLayout)
            ROW(DestroyPipelineLayout) ROW(UpdateDescriptorSets) ROW(CmdPushDescriptorSetKHR)
                ROW(CmdBindDescriptorSets) ROW(CreateSampler) ROW(CreateShaderModule)
                    ROW(DestroyShaderModule) ROW(CreateComputePipelines) ROW(CmdPushConstants)
                        ROW(CmdBindPipeline) ROW(CmdDispatch) ROW(CmdDispatchBase) ROW(CmdFillBuffer)
                            ROW(CmdUpdateBuffer) ROW(CmdWriteTimestamp) ROW(CmdWriteTimestamp2)
                                ROW(CmdPipelineBarrier2) ROW(CmdResetQueryPool) ROW(CreateSemaphore){NULL, NULL},
};

PFN_vkVoidFunction call_function(const char *name)
{
    return row_find(rows, name);
}
