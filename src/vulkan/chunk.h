// SPDX-License-Identifier: Apache-2.0
// Chunks, which memory.c cuts buffers out of: one VkDeviceMemory (or pieces) with one VkBuffer over
// all of it. For memory.c and chunk.c alone; each call wants the memory's lock held.
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
    VkDeviceSize piece_size; // but for the last
    VkBuffer handle; // over all of it; of an image's chunk none
    VkImage image;   // whose alone it is
    VkDeviceSize size;
    VkDeviceSize taken; // of the heap
    VkDeviceAddress address;
    uint8_t *host; // NULL: not mapped
    size_t shadow; // bytes of the host's own memory at `address`; 0: none
    enum vk_memory_kind kind;
    int type;      // of memory
    bool own;      // of one large buffer
    bool sparse;   // larger than the driver allocates at once
    bool imported; // over the application's pages, or of another API
    VkDeviceSize atom; // that is flushed and invalidated; 0: coherent
    bool late;     // made after the end of the process: no driver has it
    struct suballoc ranges;
};

struct vk_memory {
    pthread_mutex_t lock;
    struct vk_chunk *shared[VK_MEMORY_KIND_COUNT];
    struct vk_chunk *kept[VK_MEMORY_KIND_COUNT]; // own chunks without a buffer
    VkDeviceSize kept_size[VK_MEMORY_KIND_COUNT], kept_max[VK_MEMORY_KIND_COUNT];
    VkDeviceSize chunk_size[VK_MEMORY_KIND_COUNT];
    unsigned sharers; // of a chunk; what is larger than their share has one of its own
    bool stages; // VK_MEMORY_STAGED is better than READBACK, else the same
    VkDeviceSize used, reserved;
    VkDeviceAddress next_number; // of a chunk, where the device has no addresses
    uint32_t next_buffer;        // its number
    struct vk_heap heaps[VK_MAX_MEMORY_HEAPS];
    struct vk_chunk *gone[2 * VK_MEMORY_KIND_COUNT]; // with the driver, at the end of the process
};

// Of memory whose type is one of `types`. VK_ERROR_OUT_OF_DEVICE_MEMORY: there is no room.
VkResult vk_chunk_create(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                         VkDeviceSize size, struct vk_chunk **out);
// For an image that needs that, bound to it; its address is a number that no other has.
VkResult vk_chunk_for_image(struct vk_device *device, VkImage image, const VkMemoryRequirements *needs,
                            struct vk_chunk **out);
// Over the application's pages, which are whole ones.
VkResult vk_chunk_import(struct vk_device *device, uint8_t *pages, VkDeviceSize size,
                         struct vk_chunk **out);
// Of what another API has made; see vk_memory_adopt().
VkResult vk_chunk_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                        VkDeviceSize size, struct vk_chunk **out);
void vk_chunk_free(struct vk_device *device, struct vk_chunk *chunk);

#endif
