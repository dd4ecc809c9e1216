// SPDX-License-Identifier: Apache-2.0
// Device memory: buffers, allocated from large chunks.
//
// A chunk is one VkDeviceMemory with one VkBuffer over all of it. Small buffers are ranges of
// chunks (a two-level segregated fit, constant time), large ones have a chunk of their own.
// Transfer commands use a buffer's (handle, offset), kernels its `address`, and the host its `host`
// pointer if the memory is mapped (as long as the buffer lives; coherent, except for
// VK_MEMORY_STAGED). If the device has no buffer device addresses, kernels use a binding, and
// `address` only identifies the memory.
#ifndef PUMICE_VULKAN_MEMORY_H
#define PUMICE_VULKAN_MEMORY_H

#include "vulkan/vk.h"
#include "vulkan/window.h"

enum vk_memory_kind {
    VK_MEMORY_DEVICE,   // fastest for the device; mapped if facts->unified
    VK_MEMORY_UPLOAD,   // mapped; the host writes sequentially, the device reads
    VK_MEMORY_READBACK, // mapped and cached: the host reads and writes it at full speed
    // Like READBACK, but possibly not coherent: the host must flush its writes before the device
    // reads, and invalidate before reading what the device wrote.
    VK_MEMORY_STAGED,
    VK_MEMORY_IMAGE, // for images only, separate from buffers; not host-visible
    // The host has memory at the buffer's device address. SHARED: fastest for the device; if `host`
    // is NULL, that memory is separate and its contents must be copied. SHARED_HOST: host and
    // device access the same memory.
    VK_MEMORY_SHARED,
    VK_MEMORY_SHARED_HOST,
    // Like DEVICE, at addresses that nothing else in this process uses, so an address identifies
    // what it points to.
    VK_MEMORY_UNIQUE,
    // Like DEVICE; if facts->window, buffers in a single allocation have a window (window.h).
    VK_MEMORY_WINDOW,
    VK_MEMORY_KIND_COUNT
};

enum { VK_BUFFER_ALIGN = 256 };

struct vk_chunk;

// The memory type for this kind, among the bits of `allowed`; -1: none.
int vk_memory_type(const struct vk_facts *facts, enum vk_memory_kind kind, uint32_t allowed);

// A range of device memory. Zeroed: none. The owner embeds it; copying the struct does not copy the
// memory.
struct vk_buffer {
    struct vk_device *device;
    VkBuffer handle;
    VkDeviceSize offset; // of byte 0 in the handle
    VkDeviceSize size;
    VkDeviceAddress address; // of byte 0; suitably aligned even if the device has no addresses
    uint32_t number;         // unique among the device's buffers
    void *host;              // of byte 0, or NULL
    void *window;            // of byte 0, or NULL; see window.h
    struct vk_window_use use;
    struct vk_chunk *chunk;
    uint32_t node;
};

// Creates a buffer of `size` bytes (> 0), aligned to VK_BUFFER_ALIGN. Contents are undefined.
// VK_ERROR_OUT_OF_DEVICE_MEMORY also if a device limit is exceeded, or if the host addresses of a
// shared buffer are occupied; VK_ERROR_FEATURE_NOT_PRESENT if the device cannot share memory.
VkResult vk_buffer_create(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                          struct vk_buffer *buffer);
// Whether that probably needs no memory from the driver, which takes most of a millisecond or longer.
bool vk_buffer_is_ready(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size);

// Imports the application's own pages: the device accesses [host, host + size) at `address`.
// VK_ERROR_FEATURE_NOT_PRESENT if the driver cannot. The pages must stay valid until the buffer is
// destroyed.
VkResult vk_buffer_import(struct vk_device *device, void *host, VkDeviceSize size,
                          struct vk_buffer *buffer);

// The usages of all buffers: what kernels and transfers need.
VkBufferUsageFlags vk_buffer_usage(const struct vk_facts *facts);

// Makes a buffer of an existing handle (none: an image's range) and its bound memory, and takes
// ownership of both on success. It is not host-visible.
VkResult vk_memory_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                         VkDeviceSize size, struct vk_buffer *buffer);

// Allocates and binds a range for an image. An image larger than maxMemoryAllocationSize must have
// been created for sparse binding. range->address only identifies the range.
VkResult vk_memory_for_image(struct vk_device *device, VkImage image,
                             const VkMemoryRequirements *needs, struct vk_buffer *range);

// Whether its memory comes from another API: only queues of facts->queue_family may access it.
bool vk_buffer_is_foreign(const struct vk_buffer *buffer);

// For VK_MEMORY_STAGED: whether the memory is coherent; and flushing and invalidating `size` bytes.
// Of `buffer` only the chunk and the offset are used.
bool vk_buffer_coherent(const struct vk_buffer *buffer);
VkResult vk_buffer_flush(struct vk_device *device, const struct vk_buffer *buffer,
                         VkDeviceSize offset, VkDeviceSize size);
VkResult vk_buffer_invalidate(struct vk_device *device, const struct vk_buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size);

// Frees the range; the device must have finished using it. A zeroed buffer is allowed.
void vk_buffer_destroy(struct vk_buffer *buffer);

// The maximum size for vk_buffer_create(). For VK_MEMORY_DEVICE on devices with sparse binding it
// exceeds the largest allocation of the driver; such a buffer consists of pieces and is never
// mapped.
VkDeviceSize vk_buffer_max_size(const struct vk_facts *facts);

// The maximum size of one binding, and of the part of a buffer that kernels can access through it;
// no limit if the device has buffer device addresses.
VkDeviceSize vk_storage_span(const struct vk_facts *facts);
VkDeviceSize vk_storage_range(const struct vk_facts *facts);
// The same regardless of buffer device addresses; and the alignment of a binding's start in its
// VkBuffer.
VkDeviceSize vk_binding_range(const struct vk_facts *facts);
VkDeviceSize vk_binding_align(const struct vk_facts *facts);
// Maximum number of storage buffer bindings of a kernel.
uint32_t vk_storage_buffers(const struct vk_facts *facts);

// Bytes in use by buffers, and bytes allocated from the driver.
void vk_memory_usage(struct vk_device *device, VkDeviceSize *used, VkDeviceSize *reserved);

VkResult vk_memory_init(struct vk_device *device);
void vk_memory_finish(struct vk_device *device);
void vk_memory_forget(struct vk_device *device); // abandons the driver's memory when the driver no
                                                 // longer exists

#endif
