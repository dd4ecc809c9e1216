// SPDX-License-Identifier: Apache-2.0
// File descriptors -> memory and semaphores. See external.h.
//
// For an opaque fd, nothing tells its memory type or whether it is a dedicated allocation, but
// Vulkan requires the same for the import. So combinations are tried, the most likely first;
// drivers refuse those that do not match.
#include "vulkan/external.h"

#include <string.h>

#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/submit.h"

#define OPAQUE_MEMORY VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
#define DMA_BUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

// ---- what a device can --------------------------------------------------------------------------

static void query_buffers(const struct vk_instance *instance, VkPhysicalDevice handle,
                          struct vk_facts *facts, VkExternalMemoryHandleTypeFlagBits type)
{
    VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = vk_buffer_usage(facts),
        .handleType = type,
    };
    VkExternalBufferProperties reported = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    instance->fn.GetPhysicalDeviceExternalBufferProperties(handle, &info, &reported);
    VkExternalMemoryFeatureFlags can = reported.externalMemoryProperties.externalMemoryFeatures;
    if (can & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT)
        facts->external.memory |= type;
    if (can & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT)
        facts->external.dedicated |= type;
    if (can & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT)
        facts->external.exports |= type;
}

static void query_semaphores(const struct vk_instance *instance, VkPhysicalDevice handle,
                             struct vk_facts *facts, VkExternalSemaphoreHandleTypeFlagBits type)
{
    VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
        .handleType = type,
    };
    VkExternalSemaphoreProperties reported = {.sType =
                                                  VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    instance->fn.GetPhysicalDeviceExternalSemaphoreProperties(handle, &info, &reported);
    if (reported.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT)
        facts->external.semaphores_in |= type;
    if (reported.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT)
        facts->external.semaphores_out |= type;
}

void vk_external_fill(const struct vk_instance *instance, VkPhysicalDevice handle,
                      struct vk_facts *facts)
{
    const struct vk_features *has = &facts->features;
    if (has->external_memory_fd)
        query_buffers(instance, handle, facts, OPAQUE_MEMORY);
    if (has->external_memory_fd && has->external_memory_dma_buf)
        query_buffers(instance, handle, facts, DMA_BUF);
    if (!has->external_semaphore_fd)
        return;
    query_semaphores(instance, handle, facts, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
    query_semaphores(instance, handle, facts, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
}

// ---- memory -------------------------------------------------------------------------------------

// The resource to bind to the memory: a buffer or an image.
struct import {
    VkExternalMemoryHandleTypeFlagBits type;
    int fd;
    VkBuffer buffer;
    VkImage image;
    VkMemoryRequirements needs;
    bool dedicated; // tried first
};

// Some drivers wrongly close an fd when they refuse it: close it only if it still refers to the
// same file.
static void close_refused(int fd, const struct descriptor_identity *file)
{
    struct descriptor_identity now;
    if (descriptor_kind(fd, &now) != DESCRIPTOR_BAD && now.device == file->device && now.file == file->file)
        descriptor_close(fd);
}

static VkResult try_import(struct vk_device *device, const struct import *import, uint32_t type,
                           bool dedicated, VkDeviceMemory *memory)
{
    struct descriptor_identity file;
    VkImportMemoryFdInfoKHR from = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = import->type,
        .fd = descriptor_copy(import->fd),
    };
    VkMemoryDedicatedAllocateInfo dedicated_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .pNext = &from,
        .image = import->image,
        .buffer = import->buffer,
    };
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = dedicated ? (const void *)&dedicated_info : &from,
        .flags = import->buffer && device->facts->features.buffer_device_address
                     ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
                     : 0,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = flags.flags ? &flags : flags.pNext,
        .allocationSize = import->needs.size,
        .memoryTypeIndex = type,
    };
    if (from.fd < 0)
        return VK_ERROR_OUT_OF_HOST_MEMORY; // too many open files
    if (descriptor_kind(from.fd, &file) == DESCRIPTOR_BAD) {
        descriptor_close(from.fd);
        return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    }
    VkResult result = device->fn.AllocateMemory(device->handle, &info, NULL, memory);
    if (result != VK_SUCCESS)
        close_refused(from.fd, &file);
    return result;
}

static bool is_final(VkResult result)
{
    return result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
           result == VK_ERROR_DEVICE_LOST;
}

static VkResult try_types(struct vk_device *device, const struct import *import, uint32_t types,
                          bool dedicated, VkDeviceMemory *memory)
{
    VkResult result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    int best = vk_memory_type(device->facts, VK_MEMORY_DEVICE, types);
    if (best >= 0)
        result = try_import(device, import, (uint32_t)best, dedicated, memory);
    for (uint32_t i = 0; i < device->facts->memory.memoryTypeCount && !is_final(result); i++)
        if (types >> i & 1 && (int)i != best)
            result = try_import(device, import, i, dedicated, memory);
    return result;
}

// Known for a dma_buf.
static VkResult types_of(struct vk_device *device, const struct import *import, uint32_t *types)
{
    VkMemoryFdPropertiesKHR reported = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    VkResult result = VK_SUCCESS;
    *types = import->needs.memoryTypeBits;
    if (import->type == OPAQUE_MEMORY)
        return VK_SUCCESS;
    if (!device->fn.GetMemoryFdPropertiesKHR)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    result =
        device->fn.GetMemoryFdPropertiesKHR(device->handle, import->type, import->fd, &reported);
    *types &= reported.memoryTypeBits;
    return result;
}

static VkResult import_memory(struct vk_device *device, const struct import *import,
                              VkDeviceMemory *memory)
{
    uint32_t types;
    VkResult result = types_of(device, import, &types);
    if (result == VK_SUCCESS)
        result = try_types(device, import, types, import->dedicated, memory);
    if (!is_final(result))
        result = try_types(device, import, types, !import->dedicated, memory);
    return is_final(result) ? result : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

// The size of a dma_buf can be queried; drivers check opaque fds.
static bool is_large_enough(VkExternalMemoryHandleTypeFlagBits type, int fd, VkDeviceSize size)
{
    if (type != DMA_BUF)
        return true;
    int64_t end = descriptor_size(fd);
    if (end >= 0 && (uint64_t)end >= size)
        return true;
    log_write(LOG_MEM, "fd %d has %lld bytes, %llu are needed", fd, (long long)end,
              (unsigned long long)size);
    return false;
}

// A software driver reads from the fd, and would block on a pipe.
static bool may_be_memory(const struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type, int fd)
{
    struct descriptor_identity identity;
    enum descriptor_kind kind = descriptor_kind(fd, &identity);
    if (type == OPAQUE_MEMORY && device->facts->props12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE)
        return kind == DESCRIPTOR_FILE;
    return kind == DESCRIPTOR_FILE || kind == DESCRIPTOR_OTHER;
}

static VkResult check(const struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type,
                      int fd)
{
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (gate_ended() || !(device->facts->external.memory & type))
        return VK_ERROR_FEATURE_NOT_PRESENT;
    return may_be_memory(device, type, fd) ? VK_SUCCESS : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

static VkResult make_buffer(struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type,
                            VkDeviceSize size, VkBuffer *buffer)
{
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = type,
    };
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = size,
        .usage = vk_buffer_usage(device->facts),
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    return device->fn.CreateBuffer(device->handle, &info, NULL, buffer);
}

VkResult vk_buffer_import_fd(struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type,
                             int fd, VkDeviceSize size, struct vk_buffer *buffer)
{
    struct import import = {
        .type = type, .fd = fd, .dedicated = device->facts->external.dedicated & type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    memset(buffer, 0, sizeof *buffer);
    VkResult result = check(device, type, fd);
    if (result == VK_SUCCESS &&
        (size > vk_buffer_max_size(device->facts) || !is_large_enough(type, fd, size)))
        result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    if (result == VK_SUCCESS)
        result = make_buffer(device, type, size, &import.buffer);
    if (result != VK_SUCCESS)
        return vk_device_note(device, result, "creating a buffer for imported memory");
    device->fn.GetBufferMemoryRequirements(device->handle, import.buffer, &import.needs);
    result = import_memory(device, &import, &memory);
    if (result == VK_SUCCESS)
        result = device->fn.BindBufferMemory(device->handle, import.buffer, memory, 0);
    if (result == VK_SUCCESS)
        result = vk_memory_adopt(device, import.buffer, memory, size, buffer);
    if (result != VK_SUCCESS) {
        device->fn.DestroyBuffer(device->handle, import.buffer, NULL);
        if (memory)
            device->fn.FreeMemory(device->handle, memory, NULL);
    }
    return vk_device_note(device, result, "importing memory");
}

// ---- images -------------------------------------------------------------------------------------

VkResult vk_image_import_fd(struct vk_device *device, const struct vk_image_info *info, int fd,
                            struct vk_image *image, VkSubresourceLayout *layout)
{
    struct import import = {.type = info->external, .fd = fd};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    memset(image, 0, sizeof *image);
    memset(layout, 0, sizeof *layout);
    VkResult result = check(device, info->external, fd);
    if (result == VK_SUCCESS)
        result = vk_image_make(device, info, image, layout, &import.dedicated);
    if (result != VK_SUCCESS)
        return vk_device_note(device, result, "creating an image for imported memory");
    import.image = image->handle;
    device->fn.GetImageMemoryRequirements(device->handle, image->handle, &import.needs);
    result = is_large_enough(info->external, fd, import.needs.size)
                 ? import_memory(device, &import, &memory)
                 : VK_ERROR_INVALID_EXTERNAL_HANDLE;
    if (result == VK_SUCCESS)
        result = device->fn.BindImageMemory(device->handle, image->handle, memory, 0);
    if (result == VK_SUCCESS)
        result = vk_memory_adopt(device, VK_NULL_HANDLE, memory, import.needs.size, &image->range);
    if (result != VK_SUCCESS && memory)
        device->fn.FreeMemory(device->handle, memory, NULL);
    if (result == VK_SUCCESS)
        result = vk_image_make_views(image, info);
    if (result != VK_SUCCESS)
        vk_image_destroy(image);
    return vk_device_note(device, result, "importing an image");
}

// ---- memory for others --------------------------------------------------------------------------

static VkResult export_memory(struct vk_device *device, VkBuffer buffer, VkImage image, const VkMemoryRequirements *needs,
                              VkDeviceMemory *memory, int *fd)
{
    VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = OPAQUE_MEMORY,
    };
    VkMemoryDedicatedAllocateInfo dedicated_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .pNext = &exported,
        .image = image,
        .buffer = buffer,
    };
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = &dedicated_info,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    int type = vk_memory_type(device->facts, VK_MEMORY_DEVICE, needs->memoryTypeBits);
    bool addressed = buffer && device->facts->features.buffer_device_address;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = addressed ? (const void *)&flags : &dedicated_info,
        .allocationSize = needs->size,
        .memoryTypeIndex = (uint32_t)type,
    };
    if (type < 0 || !device->fn.GetMemoryFdKHR)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = device->fn.AllocateMemory(device->handle, &info, NULL, memory);
    if (result != VK_SUCCESS) {
        *memory = VK_NULL_HANDLE;
        return result;
    }
    VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = *memory,
        .handleType = OPAQUE_MEMORY,
    };
    return device->fn.GetMemoryFdKHR(device->handle, &get, fd);
}

static VkResult check_export(struct vk_device *device)
{
    VkResult result = vk_device_check(device);
    bool can = !gate_ended() && device->facts->external.exports & OPAQUE_MEMORY;
    return result == VK_SUCCESS && !can ? VK_ERROR_FEATURE_NOT_PRESENT : result;
}

VkResult vk_buffer_export_fd(struct vk_device *device, VkDeviceSize size, struct vk_buffer *buffer, struct vk_exported *out)
{
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkMemoryRequirements needs = {0};
    *out = (struct vk_exported){-1, 0};
    memset(buffer, 0, sizeof *buffer);
    VkResult result = check_export(device);
    if (result == VK_SUCCESS)
        result = make_buffer(device, OPAQUE_MEMORY, size, &handle);
    if (result != VK_SUCCESS)
        return vk_device_note(device, result, "creating an exportable buffer");
    device->fn.GetBufferMemoryRequirements(device->handle, handle, &needs);
    result = export_memory(device, handle, VK_NULL_HANDLE, &needs, &memory, &out->fd);
    if (result == VK_SUCCESS)
        result = device->fn.BindBufferMemory(device->handle, handle, memory, 0);
    if (result == VK_SUCCESS)
        result = vk_memory_adopt(device, handle, memory, size, buffer);
    if (result != VK_SUCCESS) {
        device->fn.DestroyBuffer(device->handle, handle, NULL);
        if (memory)
            device->fn.FreeMemory(device->handle, memory, NULL);
        if (out->fd >= 0)
            descriptor_close(out->fd);
        out->fd = -1;
    }
    out->size = needs.size;
    return vk_device_note(device, result, "exporting memory");
}

VkResult vk_image_export_fd(struct vk_device *device, const struct vk_image_info *info, struct vk_image *image,
                            struct vk_exported *out)
{
    VkSubresourceLayout layout;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkMemoryRequirements needs = {0};
    bool dedicated;
    *out = (struct vk_exported){-1, 0};
    memset(image, 0, sizeof *image);
    VkResult result = check_export(device);
    if (result == VK_SUCCESS)
        result = vk_image_make(device, info, image, &layout, &dedicated);
    if (result != VK_SUCCESS)
        return vk_device_note(device, result, "creating an exportable image");
    device->fn.GetImageMemoryRequirements(device->handle, image->handle, &needs);
    result = export_memory(device, VK_NULL_HANDLE, image->handle, &needs, &memory, &out->fd);
    if (result == VK_SUCCESS)
        result = device->fn.BindImageMemory(device->handle, image->handle, memory, 0);
    if (result == VK_SUCCESS)
        result = vk_memory_adopt(device, VK_NULL_HANDLE, memory, needs.size, &image->range);
    if (result != VK_SUCCESS && memory)
        device->fn.FreeMemory(device->handle, memory, NULL);
    if (result == VK_SUCCESS)
        result = vk_image_make_views(image, info);
    if (result != VK_SUCCESS) {
        vk_image_destroy(image);
        memset(image, 0, sizeof *image);
        if (out->fd >= 0)
            descriptor_close(out->fd);
        out->fd = -1;
    }
    out->size = needs.size;
    return vk_device_note(device, result, "exporting an image");
}

// ---- ownership transfers ------------------------------------------------------------------------

// The queue family of the other side. Behind a dma_buf it may be an API other than Vulkan.
static uint32_t external_family(const struct vk_device *device,
                                VkExternalMemoryHandleTypeFlagBits type)
{
    bool foreign = type == DMA_BUF && device->facts->features.queue_family_foreign;
    return foreign ? VK_QUEUE_FAMILY_FOREIGN_EXT : VK_QUEUE_FAMILY_EXTERNAL;
}

void vk_commands_transfer(struct vk_device *device, VkCommandBuffer commands,
                          const struct vk_shared *shared, bool ours)
{
    const VkPipelineStageFlags2 stages =
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    const VkAccessFlags2 writes = VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         reads = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT;
    const uint32_t others = external_family(device, shared->type),
                   own = device->facts->queue_family;
    VkAccessFlags2 from = ours ? 0 : writes, to = ours ? reads | writes : 0;
    uint32_t from_family = ours ? others : own, to_family = ours ? own : others;
    VkBufferMemoryBarrier2 buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .srcAccessMask = from,
        .dstStageMask = stages,
        .dstAccessMask = to,
        .srcQueueFamilyIndex = from_family,
        .dstQueueFamilyIndex = to_family,
        .buffer = shared->buffer ? shared->buffer->handle : VK_NULL_HANDLE,
        .offset = 0,
        .size = VK_WHOLE_SIZE,
    };
    VkImageMemoryBarrier2 image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = stages,
        .srcAccessMask = from,
        .dstStageMask = stages,
        .dstAccessMask = to,
        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = from_family,
        .dstQueueFamilyIndex = to_family,
        .image = shared->image ? shared->image->handle : VK_NULL_HANDLE,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .bufferMemoryBarrierCount = shared->buffer != NULL,
        .pBufferMemoryBarriers = &buffer,
        .imageMemoryBarrierCount = shared->buffer == NULL,
        .pImageMemoryBarriers = &image,
    };
    vk_commands_depend(device, commands, &info);
}

// ---- semaphores ---------------------------------------------------------------------------------

VkResult vk_semaphore_create(struct vk_device *device, VkExternalSemaphoreHandleTypeFlags types,
                             VkSemaphore *semaphore)
{
    VkExportSemaphoreCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = types,
    };
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                  .pNext = types ? &external : NULL};
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.CreateSemaphore(device->handle, &info, NULL, semaphore);
    if (result != VK_SUCCESS)
        *semaphore = VK_NULL_HANDLE;
    return vk_device_note(device, result, "creating a semaphore");
}

VkResult vk_semaphore_import(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int fd)
{
    bool copied = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    VkImportSemaphoreFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = semaphore,
        .flags = copied ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0,
        .handleType = type,
        .fd = fd,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS && !device->fn.ImportSemaphoreFdKHR)
        result = VK_ERROR_FEATURE_NOT_PRESENT;
    if (result == VK_SUCCESS && !descriptor_is_open(fd) && !(copied && fd == -1))
        result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    if (result == VK_SUCCESS)
        result = device->fn.ImportSemaphoreFdKHR(device->handle, &info);
    return vk_device_note(device, result, "importing a semaphore");
}

VkResult vk_semaphore_export(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int *fd)
{
    VkSemaphoreGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = semaphore,
        .handleType = type,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS && !device->fn.GetSemaphoreFdKHR)
        result = VK_ERROR_FEATURE_NOT_PRESENT;
    if (result == VK_SUCCESS)
        result = device->fn.GetSemaphoreFdKHR(device->handle, &info, fd);
    return vk_device_note(device, result, "exporting a semaphore");
}

void vk_semaphore_destroy(struct vk_device *device, VkSemaphore semaphore)
{
    if (semaphore && device->fork_generation == thread_fork_generation())
        device->fn.DestroySemaphore(device->handle, semaphore, NULL);
}
