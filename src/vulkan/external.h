// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores that are shared with other APIs and processes, by file descriptors.
//
// Memory is imported alone; a buffer or an image over it is like any other, but that it is theirs
// and ours in turns (vk_commands_turn()). Semaphores are imported and exported, binary ones all of
// them. An fd that is imported stays the caller's: memory takes a copy, to be closed by the driver;
// a semaphore that was imported has taken the fd itself.
#ifndef PUMICE_VULKAN_EXTERNAL_H
#define PUMICE_VULKAN_EXTERNAL_H

#include "vulkan/image.h"
#include "vulkan/instance.h"
#include "vulkan/memory.h"

// What a device imports and exports, into facts->external.
void vk_external_fill(const struct vk_instance *instance, VkPhysicalDevice handle,
                      struct vk_facts *facts);

// VK_ERROR_INVALID_EXTERNAL_HANDLE: the fd is no memory of this type that the driver knows, or too
// small for `size` bytes.
VkResult vk_buffer_import_fd(struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type,
                             int fd, VkDeviceSize size, struct vk_buffer *buffer);

// The same for an image; info->external says of which type. *layout: of one whose type is linear,
// else zeroed. VK_ERROR_FORMAT_NOT_SUPPORTED: no such image can be imported.
VkResult vk_image_import_fd(struct vk_device *device, const struct vk_image_info *info, int fd,
                            struct vk_image *image, VkSubresourceLayout *layout);

// Memory of ours for others: an opaque fd, the caller's, of `size` bytes in all, for one buffer or image alone. info->external
// is VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT.
struct vk_exported {
    int fd;
    VkDeviceSize size;
};
VkResult vk_buffer_export_fd(struct vk_device *device, VkDeviceSize size, struct vk_buffer *buffer, struct vk_exported *out);
VkResult vk_image_export_fd(struct vk_device *device, const struct vk_image_info *info, struct vk_image *image,
                            struct vk_exported *out);

// One end of a turn: a buffer, or an image in the layout GENERAL.
struct vk_shared {
    VkExternalMemoryHandleTypeFlagBits type;
    const struct vk_buffer *buffer; // NULL: the image
    const struct vk_image *image;
};

// From here on it is ours, what others have written is seen; or it was, and what we have written
// can be seen by them.
void vk_commands_turn(struct vk_device *device, VkCommandBuffer commands,
                      const struct vk_shared *shared, bool ours);

// A semaphore that can be exported as `types` (0: none). And what becomes of one that an fd's
// payload is put into: for good, or (SYNC_FD) until it is waited for.
VkResult vk_semaphore_create(struct vk_device *device, VkExternalSemaphoreHandleTypeFlags types,
                             VkSemaphore *semaphore);
VkResult vk_semaphore_import(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int fd);
VkResult vk_semaphore_export(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int *fd);
void vk_semaphore_destroy(struct vk_device *device, VkSemaphore semaphore);

#endif
