// SPDX-License-Identifier: Apache-2.0
// Device memory: buffers, cut out of big chunks.
//
// A chunk is one VkDeviceMemory with one VkBuffer over all of it; small buffers are ranges of
// chunks (a two-level segregated fit, constant time), large ones have a chunk of their own. A
// buffer is known by (handle, offset) to transfer commands, by `address` to kernels and by `host`
// to the host where its memory is mapped (for as long as the buffer lives; coherent, but for
// VK_MEMORY_STAGED). Where the
// device has no addresses kernels know it by a binding, and `address` only tells memory apart.
#ifndef PUMICE_VULKAN_MEMORY_H
#define PUMICE_VULKAN_MEMORY_H

#include "vulkan/vk.h"
#include "vulkan/window.h"

enum vk_memory_kind {
    VK_MEMORY_DEVICE,   // fastest for the device; mapped where facts->unified
    VK_MEMORY_UPLOAD,   // mapped, the host writes in order, the device reads
    VK_MEMORY_READBACK, // mapped and cached: the host reads and writes it at full speed
    // As READBACK, and perhaps not coherent: the host flushes what it wrote before the device may read
    // it, and invalidates what the device wrote before it reads that.
    VK_MEMORY_STAGED,
    VK_MEMORY_IMAGE,    // of images alone, so that they lie apart from buffers; not for the host
    // The host has memory at the buffer's device address. SHARED: fastest for the device; where
    // `host` is NULL that memory is the host's own, and somebody copies. SHARED_HOST: the host sees
    // what the device sees.
    VK_MEMORY_SHARED,
    VK_MEMORY_SHARED_HOST,
    // As DEVICE, at addresses that are nobody else's in this process: an address tells what it
    // points at.
    VK_MEMORY_APART,
    // As DEVICE; where facts->window those in one piece have a window.
    VK_MEMORY_WINDOW,
    VK_MEMORY_KIND_COUNT
};

enum { VK_BUFFER_ALIGN = 256 };

struct vk_chunk;

// The memory type, of those whose bits are in `allowed`, that memory of this kind comes from; -1: none.
int vk_memory_type(const struct vk_facts *facts, enum vk_memory_kind kind, uint32_t allowed);

// A range of device memory. Zeroed = none. The owner embeds it; copying the struct does not copy
// the range.
struct vk_buffer {
    struct vk_device *device;
    VkBuffer handle;
    VkDeviceSize offset; // of byte 0 in the handle
    VkDeviceSize size;
    VkDeviceAddress address; // of byte 0; aligned as that is, whether or not the device has any
    uint32_t number;         // that tells it from the device's other buffers
    void *host;              // of byte 0, or NULL
    void *window;            // of byte 0, or NULL: see window.h
    struct vk_window_use use;
    struct vk_chunk *chunk;
    uint32_t node;
};

// A buffer of `size` bytes (> 0), aligned to VK_BUFFER_ALIGN. Contents are undefined.
// VK_ERROR_OUT_OF_DEVICE_MEMORY also for sizes over the device's limits, and when the host has no
// room at the address of a shared buffer; VK_ERROR_FEATURE_NOT_PRESENT when the device cannot
// share.
VkResult vk_buffer_create(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                          struct vk_buffer *buffer);

// A buffer over the application's own pages: the device sees [host, host + size) at `address`.
// VK_ERROR_FEATURE_NOT_PRESENT when the driver cannot. The pages must stay until it is destroyed.
VkResult vk_buffer_import(struct vk_device *device, void *host, VkDeviceSize size,
                          struct vk_buffer *buffer);

// What kernels and transfers may do with a buffer.
VkBufferUsageFlags vk_buffer_usage(const struct vk_facts *facts);

// A buffer of a handle (none: an image's range) and the memory that it is bound to, and which go
// with it when this succeeds. The host does not see it.
VkResult vk_memory_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                         VkDeviceSize size, struct vk_buffer *buffer);

// A range for an image, which is bound to it; one over maxMemoryAllocationSize must have been made
// for sparse binding. range->address is no address of texels, but tells the range from all others.
VkResult vk_memory_for_image(struct vk_device *device, VkImage image,
                             const VkMemoryRequirements *needs, struct vk_buffer *range);

// Of VK_MEMORY_STAGED: whether there is nothing to flush and to invalidate; and to do that, for
// `size` bytes. `buffer` needs a chunk and its place therein alone.
bool vk_buffer_coherent(const struct vk_buffer *buffer);
VkResult vk_buffer_flush(struct vk_device *device, const struct vk_buffer *buffer,
                         VkDeviceSize offset, VkDeviceSize size);
VkResult vk_buffer_invalidate(struct vk_device *device, const struct vk_buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size);

// Gives the range back; the device must be done with it. A zeroed buffer is allowed.
void vk_buffer_destroy(struct vk_buffer *buffer);

// The largest size that vk_buffer_create() may succeed with: of VK_MEMORY_DEVICE, beyond what the
// driver allocates at once (piece by piece, then, and never mapped) where the device has sparse
// binding.
VkDeviceSize vk_buffer_max_size(const struct vk_facts *facts);

// What one binding spans at most, and the most bytes of a buffer that kernels reach by it; no limit where the device has
// addresses.
VkDeviceSize vk_storage_span(const struct vk_facts *facts);
VkDeviceSize vk_storage_range(const struct vk_facts *facts);
// The same whether the device has addresses or not; and what divides where a binding begins in its VkBuffer.
VkDeviceSize vk_binding_range(const struct vk_facts *facts);
VkDeviceSize vk_binding_align(const struct vk_facts *facts);
// How many bindings of buffers a kernel may have.
uint32_t vk_storage_buffers(const struct vk_facts *facts);

// Bytes in use by buffers and bytes taken from the driver.
void vk_memory_usage(struct vk_device *device, VkDeviceSize *used, VkDeviceSize *reserved);

VkResult vk_memory_init(struct vk_device *device);
void vk_memory_finish(struct vk_device *device);
void vk_memory_forget(struct vk_device *device); // the driver's; there is none any more

#endif
