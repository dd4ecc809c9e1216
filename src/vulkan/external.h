// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores that are shared with other APIs and processes by file descriptors.
//
// Each import is a separate allocation; a buffer or an image in it is like any other, but needs
// ownership transfers (vk_commands_transfer()). Semaphores are imported and exported, binary ones
// only. The caller keeps the fd of imported memory, which is duplicated for the driver; a
// successful import of a semaphore takes the fd itself.
#ifndef PUMICE_VULKAN_EXTERNAL_H
#define PUMICE_VULKAN_EXTERNAL_H

#include "vulkan/image.h"
#include "vulkan/instance.h"
#include "vulkan/memory.h"

// Fills facts->external with what a device can import and export.
void vk_external_fill(const struct vk_instance *instance, VkPhysicalDevice handle,
                      struct vk_facts *facts);

// VK_ERROR_INVALID_EXTERNAL_HANDLE: the fd is not memory of this type for this driver, or is
// smaller than `size` bytes.
VkResult vk_buffer_import_fd(struct vk_device *device, VkExternalMemoryHandleTypeFlagBits type,
                             int fd, VkDeviceSize size, struct vk_buffer *buffer);

// The same for an image of the type info->external. *layout is set if its tiling is linear, else
// zeroed. VK_ERROR_FORMAT_NOT_SUPPORTED: such an image cannot be imported.
VkResult vk_image_import_fd(struct vk_device *device, const struct vk_image_info *info, int fd,
                            struct vk_image *image, VkSubresourceLayout *layout);

// Exports memory: an opaque fd, owned by the caller, of `size` bytes in total, for one buffer or
// image only. info->external is VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT.
struct vk_exported {
    int fd;
    VkDeviceSize size;
};
VkResult vk_buffer_export_fd(struct vk_device *device, VkDeviceSize size, struct vk_buffer *buffer, struct vk_exported *out);
VkResult vk_image_export_fd(struct vk_device *device, const struct vk_image_info *info, struct vk_image *image,
                            struct vk_exported *out);

// A resource of an ownership transfer: a buffer, or an image in the layout GENERAL.
struct vk_shared {
    VkExternalMemoryHandleTypeFlagBits type;
    const struct vk_buffer *buffer; // NULL: an image
    const struct vk_image *image;
};

// Acquires ownership (`ours`): writes by others become visible. Or releases it: our writes become
// visible to others.
void vk_commands_transfer(struct vk_device *device, VkCommandBuffer commands,
                          const struct vk_shared *shared, bool ours);

// Creates a semaphore that can be exported as `types` (0: none). Importing an fd's payload into it
// is permanent or, for SYNC_FD, until it is waited for.
VkResult vk_semaphore_create(struct vk_device *device, VkExternalSemaphoreHandleTypeFlags types,
                             VkSemaphore *semaphore);
VkResult vk_semaphore_import(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int fd);
VkResult vk_semaphore_export(struct vk_device *device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type, int *fd);
void vk_semaphore_destroy(struct vk_device *device, VkSemaphore semaphore);

#endif
