// SPDX-License-Identifier: Apache-2.0
// A driver whose functions do nothing. See ended.h.
#include "vulkan/ended.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

enum { ALIGN = 65536 };
#define DUMMY 0xdead // the handle of all objects that are only passed on
#define NOTHING(name, ...)                                                                         \
    static VKAPI_ATTR void VKAPI_CALL name(__VA_ARGS__) {}
#define SUCCESS(name, ...)                                                                         \
    static VKAPI_ATTR VkResult VKAPI_CALL name(__VA_ARGS__)                                        \
    {                                                                                              \
        return VK_SUCCESS;                                                                         \
    }
#define MAKES(type)                                                                                \
    static VKAPI_ATTR VkResult VKAPI_CALL Create##type(                                            \
        VkDevice device, const Vk##type##CreateInfo *info, const VkAllocationCallbacks *allocator, \
        Vk##type *handle)                                                                          \
    {                                                                                              \
        *handle = (Vk##type)(uintptr_t)DUMMY;                                                      \
        return VK_SUCCESS;                                                                         \
    }                                                                                              \
    DESTROYS(type)
#define DESTROYS(type)                                                                             \
    NOTHING(Destroy##type, VkDevice device, Vk##type handle, const VkAllocationCallbacks *allocator)

// ---- objects ------------------------------------------------------------------------------------

MAKES(Image)
MAKES(ImageView)
MAKES(BufferView)
MAKES(Sampler)
MAKES(DescriptorSetLayout)
MAKES(DescriptorPool)
MAKES(Semaphore)
MAKES(Fence)
MAKES(QueryPool)
MAKES(ShaderModule)
MAKES(PipelineCache)
MAKES(PipelineLayout)
MAKES(CommandPool)
DESTROYS(Pipeline)
NOTHING(DestroyDevice, VkDevice device, const VkAllocationCallbacks *allocator)

static VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(
    VkDevice device, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        pipelines[i] = (VkPipeline)(uintptr_t)DUMMY;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL AllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets)
{
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = (VkDescriptorSet)(uintptr_t)DUMMY;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL AllocateCommandBuffers(
    VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *commands)
{
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        commands[i] = (VkCommandBuffer)(uintptr_t)DUMMY;
    return VK_SUCCESS;
}

NOTHING(GetDeviceGroupPeerMemoryFeatures, VkDevice device, uint32_t heap, uint32_t local, uint32_t remote,
        VkPeerMemoryFeatureFlags *features)

static VKAPI_ATTR void VKAPI_CALL GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index,
                                                 VkQueue *queue)
{
    *queue = (VkQueue)(uintptr_t)DUMMY;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetPipelineCacheData(VkDevice device, VkPipelineCache cache,
                                                           size_t *size, void *data)
{
    *size = 0;
    return VK_SUCCESS;
}

SUCCESS(MergePipelineCaches, VkDevice device, VkPipelineCache cache, uint32_t count,
        const VkPipelineCache *others)

// ---- memory: pages that cost nothing until they are written --------------------------------------

// Only memory allocated here is freed here: see `late` in vk_chunk.
struct buffer {
    VkDeviceSize size;
    uintptr_t memory;
};

// An additional page in front stores the size.
static VKAPI_ATTR VkResult VKAPI_CALL AllocateMemory(VkDevice device,
                                                     const VkMemoryAllocateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkDeviceMemory *memory)
{
    size_t size = info->allocationSize + ALIGN;
    void *pages = pages_map(size, 0);
    if (!pages)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *(size_t *)pages = size;
    *memory = (VkDeviceMemory)((uintptr_t)pages + ALIGN);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL FreeMemory(VkDevice device, VkDeviceMemory memory,
                                             const VkAllocationCallbacks *allocator)
{
    size_t *pages = (size_t *)((uintptr_t)memory - ALIGN);
    pages_unmap(pages, *pages);
}

static VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice device, VkDeviceMemory memory,
                                                VkDeviceSize offset, VkDeviceSize size,
                                                VkMemoryMapFlags flags, void **data)
{
    *data = (uint8_t *)(uintptr_t)memory + offset;
    return VK_SUCCESS;
}

SUCCESS(FlushMappedMemoryRanges, VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
SUCCESS(InvalidateMappedMemoryRanges, VkDevice device, uint32_t count,
        const VkMappedMemoryRange *ranges)

static VKAPI_ATTR VkResult VKAPI_CALL CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkBuffer *handle)
{
    struct buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *buffer = (struct buffer){.size = info->size, .memory = ALIGN};
    *handle = (VkBuffer)(uintptr_t)buffer;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL DestroyBuffer(VkDevice device, VkBuffer handle,
                                                const VkAllocationCallbacks *allocator)
{
    free((struct buffer *)(uintptr_t)handle);
}

static VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory(VkDevice device, VkBuffer handle,
                                                       VkDeviceMemory memory, VkDeviceSize offset)
{
    ((struct buffer *)(uintptr_t)handle)->memory = (uintptr_t)memory;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL
GetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    return ((const struct buffer *)(uintptr_t)info->buffer)->memory;
}

static VKAPI_ATTR void VKAPI_CALL GetBufferMemoryRequirements(VkDevice device, VkBuffer handle,
                                                              VkMemoryRequirements *needs)
{
    VkDeviceSize size = ((const struct buffer *)(uintptr_t)handle)->size;
    *needs = (VkMemoryRequirements){(size + ALIGN - 1) / ALIGN * ALIGN, ALIGN, UINT32_MAX};
}

static VKAPI_ATTR void VKAPI_CALL GetImageMemoryRequirements(VkDevice device, VkImage image,
                                                             VkMemoryRequirements *needs)
{
    *needs = (VkMemoryRequirements){ALIGN, ALIGN, UINT32_MAX};
}

static VKAPI_ATTR void VKAPI_CALL GetImageSubresourceLayout(VkDevice device, VkImage image,
                                                            const VkImageSubresource *which,
                                                            VkSubresourceLayout *layout)
{
    memset(layout, 0, sizeof *layout);
}

SUCCESS(BindImageMemory, VkDevice device, VkImage image, VkDeviceMemory memory, VkDeviceSize offset)

// Nothing is imported: the caller copies instead.
static VKAPI_ATTR VkResult VKAPI_CALL
GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
                                  const void *pointer, VkMemoryHostPointerPropertiesEXT *allowed)
{
    allowed->memoryTypeBits = 0;
    return VK_SUCCESS;
}

// ---- completion: everything has finished
// ---------------------------------------------------------

SUCCESS(DeviceWaitIdle, VkDevice device)
SUCCESS(QueueSubmit, VkQueue queue, uint32_t count, const VkSubmitInfo *info, VkFence fence)
SUCCESS(QueueSubmit2, VkQueue queue, uint32_t count, const VkSubmitInfo2 *info, VkFence fence)
SUCCESS(QueueBindSparse, VkQueue queue, uint32_t count, const VkBindSparseInfo *info, VkFence fence)
SUCCESS(GetFenceStatus, VkDevice device, VkFence fence)
SUCCESS(WaitForFences, VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
        uint64_t ns)
SUCCESS(ResetFences, VkDevice device, uint32_t count, const VkFence *fences)
SUCCESS(WaitSemaphores, VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t ns)
SUCCESS(SignalSemaphore, VkDevice device, const VkSemaphoreSignalInfo *info)
NOTHING(ResetQueryPool, VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count)

static VKAPI_ATTR VkResult VKAPI_CALL GetSemaphoreCounterValue(VkDevice device,
                                                               VkSemaphore semaphore,
                                                               uint64_t *value)
{
    *value = UINT64_MAX;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetQueryPoolResults(VkDevice device, VkQueryPool pool,
                                                          uint32_t first, uint32_t count,
                                                          size_t size, void *data,
                                                          VkDeviceSize stride,
                                                          VkQueryResultFlags flags)
{
    memset(data, 0, size);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetCalibratedTimestampsEXT(
    VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT *infos, uint64_t *stamps,
    uint64_t *deviation)
{
    memset(stamps, 0, count * sizeof *stamps);
    *deviation = 0;
    return VK_SUCCESS;
}

// ---- commands -----------------------------------------------------------------------------------

NOTHING(UpdateDescriptorSets, VkDevice device, uint32_t count, const VkWriteDescriptorSet *writes,
        uint32_t copy_count, const VkCopyDescriptorSet *copies)
SUCCESS(BeginCommandBuffer, VkCommandBuffer commands, const VkCommandBufferBeginInfo *info)
SUCCESS(EndCommandBuffer, VkCommandBuffer commands)
NOTHING(CmdExecuteCommands, VkCommandBuffer commands, uint32_t count, const VkCommandBuffer *others)
NOTHING(CmdBindPipeline, VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
NOTHING(CmdPushConstants, VkCommandBuffer commands, VkPipelineLayout layout,
        VkShaderStageFlags stages, uint32_t offset, uint32_t size, const void *data)
NOTHING(CmdDispatch, VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
NOTHING(CmdCopyBuffer, VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t count,
        const VkBufferCopy *regions)
NOTHING(CmdCopyImage, VkCommandBuffer commands, VkImage from, VkImageLayout from_layout, VkImage to,
        VkImageLayout to_layout, uint32_t count, const VkImageCopy *regions)
NOTHING(CmdCopyBufferToImage, VkCommandBuffer commands, VkBuffer from, VkImage to,
        VkImageLayout layout, uint32_t count, const VkBufferImageCopy *regions)
NOTHING(CmdCopyImageToBuffer, VkCommandBuffer commands, VkImage from, VkImageLayout layout,
        VkBuffer to, uint32_t count, const VkBufferImageCopy *regions)
NOTHING(CmdBindDescriptorSets, VkCommandBuffer commands, VkPipelineBindPoint point,
        VkPipelineLayout layout, uint32_t first, uint32_t count, const VkDescriptorSet *sets,
        uint32_t offset_count, const uint32_t *offsets)
NOTHING(CmdFillBuffer, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
        VkDeviceSize size, uint32_t word)
NOTHING(CmdUpdateBuffer, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
        VkDeviceSize size, const void *data)
NOTHING(CmdPipelineBarrier, VkCommandBuffer commands, VkPipelineStageFlags before,
        VkPipelineStageFlags behind, VkDependencyFlags flags, uint32_t memory_count,
        const VkMemoryBarrier *memory, uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
        uint32_t image_count, const VkImageMemoryBarrier *images)
NOTHING(CmdPipelineBarrier2, VkCommandBuffer commands, const VkDependencyInfo *info)
NOTHING(CmdResetQueryPool, VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
        uint32_t count)
NOTHING(CmdWriteTimestamp, VkCommandBuffer commands, VkPipelineStageFlagBits stage,
        VkQueryPool pool, uint32_t index)
NOTHING(CmdWriteTimestamp2, VkCommandBuffer commands, VkPipelineStageFlags2 stage, VkQueryPool pool,
        uint32_t index)

// ---- the instance -------------------------------------------------------------------------------

static VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceFormatProperties2(VkPhysicalDevice device,
                                                                     VkFormat format,
                                                                     VkFormatProperties2 *all)
{
    const VkFormatProperties every = {~0u, ~0u, ~0u};
    VkFormatProperties3 *more = all->pNext;
    all->formatProperties = every;
    if (more)
        more->linearTilingFeatures = more->optimalTilingFeatures = more->bufferFeatures = ~0ull;
}

static VKAPI_ATTR VkResult VKAPI_CALL GetPhysicalDeviceImageFormatProperties(
    VkPhysicalDevice device, VkFormat format, VkImageType type, VkImageTiling tiling,
    VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *limits)
{
    *limits = (VkImageFormatProperties){{UINT32_MAX, UINT32_MAX, UINT32_MAX}, 1, UINT32_MAX,
                                        VK_SAMPLE_COUNT_1_BIT, UINT64_MAX};
    return VK_SUCCESS;
}

// Reports no budget.
NOTHING(GetPhysicalDeviceMemoryProperties2, VkPhysicalDevice device,
        VkPhysicalDeviceMemoryProperties2 *all)

void vk_ended_functions(struct vk_functions *fn)
{
    *fn = (struct vk_functions){
#define PROC(name) .name = name,
#define PROC_OPTIONAL(name)
#include "platform/platform.h"
#include "vulkan/procs.def"
        .MapMemory2KHR = NULL, // memory is mapped where it already is
        .GetMemoryHostPointerPropertiesEXT = GetMemoryHostPointerPropertiesEXT,
        .GetCalibratedTimestampsEXT = GetCalibratedTimestampsEXT,
    };
}

NOTHING(keep_memory, VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *allocator)
NOTHING(keep_buffer, VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *allocator)

void vk_silent_functions(struct vk_functions *fn)
{
    vk_ended_functions(fn);
    fn->FreeMemory = keep_memory;
    fn->DestroyBuffer = keep_buffer;
}

void vk_ended_instance(struct vk_instance_functions *fn)
{
    fn->GetPhysicalDeviceFormatProperties2 = GetPhysicalDeviceFormatProperties2;
    fn->GetPhysicalDeviceImageFormatProperties = GetPhysicalDeviceImageFormatProperties;
    fn->GetPhysicalDeviceMemoryProperties2 = GetPhysicalDeviceMemoryProperties2;
}
