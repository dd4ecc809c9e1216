// SPDX-License-Identifier: Apache-2.0
// Chunks, which memory.c splits into buffers: one VkDeviceMemory (or several pieces) with one
// VkBuffer over all of it. Only for memory.c and chunk.c; all calls need the memory's lock.
#ifndef PUMICE_VULKAN_CHUNK_H
#define PUMICE_VULKAN_CHUNK_H


#include "platform/platform.h"
#include "vulkan/heap.h"
#include "vulkan/memory.h"
#include "vulkan/suballoc.h"

struct vk_chunk {
    struct vk_chunk *next;
    VkDeviceMemory memory;
    VkDeviceMemory *pieces; // of a sparse chunk: piece_count of them instead of `memory`
    uint32_t piece_count;
    VkDeviceSize piece_size; // the last may be smaller
    VkBuffer handle; // over all of it; none for an image's chunk
    VkImage image;   // the only user of the chunk, if it was made for an image
    VkDeviceSize size;
    VkDeviceSize heap_bytes; // bytes counted in the heap
    VkDeviceAddress address;
    uint8_t *host; // NULL: not mapped
    size_t host_size; // bytes of host-only memory mapped at `address`; 0: none
    enum vk_memory_kind kind;
    int type;      // memory type
    bool dedicated; // holds a single large buffer
    bool sparse;   // larger than a single allocation of the driver
    bool imported; // from the application's pages, or from another API
    VkDeviceSize atom; // unit of flushing and invalidating; 0: coherent
    bool after_end;    // created after the process has begun to end: the driver does not know it
    struct suballoc ranges;
};

struct vk_memory {
    pthread_mutex_t lock;
    struct vk_chunk *shared[VK_MEMORY_KIND_COUNT];
    struct vk_chunk *spare[VK_MEMORY_KIND_COUNT]; // own chunks without a buffer
    VkDeviceSize spare_size[VK_MEMORY_KIND_COUNT], spare_max[VK_MEMORY_KIND_COUNT];
    VkDeviceSize chunk_size[VK_MEMORY_KIND_COUNT];
    unsigned sharers; // buffers that should fit in one chunk; larger ones get a chunk of their own
    bool stages; // VK_MEMORY_STAGED differs from READBACK and is faster
    VkDeviceSize used, reserved;
    VkDeviceAddress next_number; // address substitute of the next chunk, if the device has no
                                 // addresses
    uint32_t next_buffer;        // number of the next buffer
    struct vk_heap heaps[VK_MAX_MEMORY_HEAPS];
    struct vk_chunk *abandoned[2 * VK_MEMORY_KIND_COUNT]; // chunks of a driver that no longer exists
};

// Allocates from a memory type in `types`. VK_ERROR_OUT_OF_DEVICE_MEMORY: no space.
VkResult vk_chunk_create(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                         VkDeviceSize size, struct vk_chunk **out);
// Allocates memory for one image and binds it. The chunk's address is a unique number, not a device
// address.
VkResult vk_chunk_for_image(struct vk_device *device, VkImage image, const VkMemoryRequirements *needs,
                            struct vk_chunk **out);
// Imports the application's pages; `pages` and `size` are page-aligned.
VkResult vk_chunk_import(struct vk_device *device, uint8_t *pages, VkDeviceSize size,
                         struct vk_chunk **out);
// Takes over memory of another API; see vk_memory_adopt().
VkResult vk_chunk_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                        VkDeviceSize size, struct vk_chunk **out);
void vk_chunk_free(struct vk_device *device, struct vk_chunk *chunk);

#endif
