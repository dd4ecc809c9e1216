// SPDX-License-Identifier: Apache-2.0
// Buffers and image memory, allocated from chunks. See memory.h; chunk.c implements the chunks.
//
// Small buffers are ranges of shared chunks; one empty chunk per kind is kept. A large buffer has a
// chunk of its own, and a few of those are kept for reuse, because an allocation by the driver
// takes up to a millisecond. All kept memory is freed before an out-of-memory error is returned.
// is none.
#include "vulkan/memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/chunk.h"
#include "vulkan/device.h"
#include "vulkan/quirks.h"
#include "vulkan/submit.h"

#define MIB (UINT64_C(1) << 20)

enum { OWN_ROUND = 65536, CHUNK_MIN = 65536 };

// ---- kept chunks --------------------------------------------------------------------------------

// Frees all memory without buffers; true if there was some.
static bool trim(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    bool some = false;
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++) {
        while (memory->spare[kind]) {
            struct vk_chunk *chunk = memory->spare[kind];
            memory->spare[kind] = chunk->next;
            memory->spare_size[kind] -= chunk->size;
            vk_chunk_free(device, chunk);
            some = true;
        }
        for (struct vk_chunk **at = &memory->shared[kind]; *at;) {
            struct vk_chunk *chunk = *at;
            if (chunk->ranges.used) {
                at = &chunk->next;
                continue;
            }
            *at = chunk->next;
            vk_chunk_free(device, chunk);
            some = true;
        }
    }
    return some;
}

static VkResult chunk_create_or_trim(struct vk_device *device, enum vk_memory_kind kind,
                                     uint32_t types, VkDeviceSize size, struct vk_chunk **out)
{
    VkResult result = vk_chunk_create(device, kind, types, size, out);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && trim(device))
        result = vk_chunk_create(device, kind, types, size, out);
    return result;
}

// A shared chunk, or a smaller one if there is not enough memory.
static VkResult chunk_create_less(struct vk_device *device, enum vk_memory_kind kind,
                                  uint32_t types, VkDeviceSize least, struct vk_chunk **out)
{
    VkDeviceSize size = device->memory->chunk_size[kind];
    VkResult result = chunk_create_or_trim(device, kind, types, size, out);
    while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && size / 2 >= CHUNK_MIN && size / 2 >= least) {
        size /= 2;
        result = vk_chunk_create(device, kind, types, size, out);
    }
    return result;
}

// ---- buffers ------------------------------------------------------------------------------------

static void fill_buffer(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize offset,
                        VkDeviceSize size, struct vk_buffer *buffer)
{
    bool windowed = chunk->kind == VK_MEMORY_WINDOW;
    *buffer = (struct vk_buffer){
        .device = device,
        .handle = chunk->handle,
        .offset = offset,
        .size = size,
        .address = chunk->address + offset,
        .number = device->memory->next_buffer++,
        .host = chunk->host && !windowed ? chunk->host + offset : NULL,
        .window = windowed ? chunk->host + offset : NULL,
        .chunk = chunk,
    };
}

static bool take_range(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size,
                       struct vk_buffer *buffer)
{
    uint32_t units = (uint32_t)((size + VK_BUFFER_ALIGN - 1) / VK_BUFFER_ALIGN), offset, node;
    if (!suballoc_take(&chunk->ranges, units, &offset, &node))
        return false;
    fill_buffer(device, chunk, (VkDeviceSize)offset * VK_BUFFER_ALIGN, size, buffer);
    buffer->node = node;
    return true;
}

static VkResult create_shared(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                              VkDeviceSize size, struct vk_buffer *buffer)
{
    struct vk_memory *memory = device->memory;
    struct vk_chunk *chunk;
    for (chunk = memory->shared[kind]; chunk; chunk = chunk->next)
        if (types >> chunk->type & 1 && take_range(device, chunk, size, buffer))
            return VK_SUCCESS;
    VkResult result = chunk_create_less(device, kind, types, size, &chunk);
    if (result != VK_SUCCESS)
        return result;
    if (!suballoc_init(&chunk->ranges, (uint32_t)(chunk->size / VK_BUFFER_ALIGN))) {
        vk_chunk_free(device, chunk);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    chunk->next = memory->shared[kind];
    memory->shared[kind] = chunk;
    return take_range(device, chunk, size, buffer) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

// The smallest kept chunk that fits `size` and wastes at most a quarter: what points at it.
static struct vk_chunk **find_spare(struct vk_memory *memory, enum vk_memory_kind kind, uint32_t types, VkDeviceSize size)
{
    struct vk_chunk **best = NULL;
    for (struct vk_chunk **at = &memory->spare[kind]; *at; at = &(*at)->next)
        if ((*at)->size >= size && (*at)->size - size <= size / 4 && types >> (*at)->type & 1 &&
            (!best || (*at)->size < (*best)->size))
            best = at;
    return best;
}

static struct vk_chunk *take_spare(struct vk_memory *memory, enum vk_memory_kind kind,
                                   uint32_t types, VkDeviceSize size)
{
    struct vk_chunk **best = find_spare(memory, kind, types, size);
    if (!best)
        return NULL;
    struct vk_chunk *chunk = *best;
    *best = chunk->next;
    memory->spare_size[kind] -= chunk->size;
    return chunk;
}

static VkResult create_own(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                           VkDeviceSize size, struct vk_buffer *buffer)
{
    VkDeviceSize rounded = (size + OWN_ROUND - 1) / OWN_ROUND * OWN_ROUND;
    if (rounded > vk_buffer_max_size(device->facts) ||
        size > device->facts->props11.maxMemoryAllocationSize)
        rounded = (size + 15) / 16 * 16; // bindings end at multiples of 16 bytes
    struct vk_chunk *chunk = take_spare(device->memory, kind, types, size);
    VkResult result = VK_SUCCESS;
    if (!chunk)
        result = chunk_create_or_trim(device, kind, types, rounded, &chunk);
    if (result != VK_SUCCESS)
        return result;
    chunk->dedicated = true;
    fill_buffer(device, chunk, 0, size, buffer);
    return VK_SUCCESS;
}

static VkDeviceSize smaller(VkDeviceSize a, VkDeviceSize b)
{
    return a < b ? a : b;
}

// Offsets within a buffer that a pointer can represent: 27 bits of a 32-bit pointer, 32 bits of a
// 64-bit one.
static VkDeviceSize pointer_offsets(const struct vk_facts *facts)
{
    return facts->features.int64 ? UINT64_C(1) << 32 : UINT64_C(1) << 27;
}

static VkDeviceSize binding_span(const struct vk_facts *facts)
{
    return smaller(facts->props.limits.maxStorageBufferRange, pointer_offsets(facts)) /
           VK_BUFFER_ALIGN * VK_BUFFER_ALIGN;
}

VkDeviceSize vk_storage_span(const struct vk_facts *facts)
{
    return facts->features.buffer_device_address ? UINT64_MAX : binding_span(facts);
}

// One more offset is needed for a pointer to the end of a buffer.
VkDeviceSize vk_binding_range(const struct vk_facts *facts)
{
    VkDeviceSize span = binding_span(facts);
    return span == pointer_offsets(facts) ? span - VK_BUFFER_ALIGN : span;
}

VkDeviceSize vk_storage_range(const struct vk_facts *facts)
{
    return facts->features.buffer_device_address ? UINT64_MAX : vk_binding_range(facts);
}

VkDeviceSize vk_binding_align(const struct vk_facts *facts)
{
    return facts->props.limits.minStorageBufferOffsetAlignment;
}

uint32_t vk_storage_buffers(const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    VkDeviceSize stage =
        smaller(limits->maxPerStageDescriptorStorageBuffers, limits->maxPerStageResources);
    return (uint32_t)smaller(stage, limits->maxDescriptorSetStorageBuffers);
}

// The limit for bindings does not apply to image memory.
static VkDeviceSize max_size(const struct vk_facts *facts, enum vk_memory_kind kind)
{
    VkDeviceSize most = smaller(facts->device_memory, facts->props13.maxBufferSize);
    most = smaller(most, SIZE_MAX / 4 + 1); // with a 32-bit size_t: 1 GiB, which can usually still
                                            // be mapped
    if (kind != VK_MEMORY_IMAGE)
        most = smaller(most, vk_storage_range(facts));
    return facts->sparse ? most : smaller(most, facts->props11.maxMemoryAllocationSize);
}

static enum vk_memory_kind actual_kind(const struct vk_memory *memory, enum vk_memory_kind kind)
{
    return kind == VK_MEMORY_STAGED && !memory->stages ? VK_MEMORY_READBACK : kind;
}

static bool is_own(const struct vk_memory *memory, enum vk_memory_kind kind, VkDeviceSize size)
{
    return size > memory->chunk_size[kind] / memory->sharers;
}

bool vk_buffer_is_ready(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size)
{
    struct vk_memory *memory = device->memory;
    kind = actual_kind(memory, kind);
    pthread_mutex_lock(&memory->lock);
    bool is_ready = is_own(memory, kind, size) ? find_spare(memory, kind, UINT32_MAX, size) != NULL : memory->shared[kind] != NULL;
    pthread_mutex_unlock(&memory->lock);
    return is_ready;
}

static VkResult take_memory(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                            VkDeviceSize size, struct vk_buffer *buffer)
{
    struct vk_memory *memory = device->memory;
    memset(buffer, 0, sizeof *buffer);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    kind = actual_kind(memory, kind);
    if (size > max_size(device->facts, kind)) {
        log_write(LOG_MEM, "a buffer of %llu bytes exceeds the device's limit",
                  (unsigned long long)size);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    pthread_mutex_lock(&memory->lock);
    result = is_own(memory, kind, size)
                 ? create_own(device, kind, types, size, buffer)
                 : create_shared(device, kind, types, size, buffer);
    if (result == VK_SUCCESS)
        memory->used += size;
    pthread_mutex_unlock(&memory->lock);
    return result;
}

VkResult vk_buffer_create(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                          struct vk_buffer *buffer)
{
    if (kind == VK_MEMORY_WINDOW) {
        // in a single allocation
        bool some = device->facts->window && size <= device->facts->props11.maxMemoryAllocationSize;
        if (some && take_memory(device, kind, UINT32_MAX, size, buffer) == VK_SUCCESS)
            return VK_SUCCESS;
        kind = VK_MEMORY_DEVICE;
    }
    return take_memory(device, kind, UINT32_MAX, size, buffer);
}

static VkResult bind_image(struct vk_device *device, VkImage image, VkDeviceSize size,
                           const struct vk_chunk *chunk)
{
    VkSparseMemoryBind *binds = calloc(chunk->piece_count, sizeof *binds);
    uint32_t count = 0;
    if (!binds)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (VkDeviceSize at = 0; at < size; at += chunk->piece_size) {
        VkDeviceSize left = size - at;
        binds[count] = (VkSparseMemoryBind){
            .resourceOffset = at,
            .size = left < chunk->piece_size ? left : chunk->piece_size,
            .memory = chunk->pieces[count],
        };
        count++;
    }
    VkSparseImageOpaqueMemoryBindInfo opaque = {image, count, binds};
    VkBindSparseInfo info = {.imageOpaqueBindCount = 1, .pImageOpaqueBinds = &opaque};
    VkResult result = vk_bind_sparse(device, &info);
    free(binds);
    return result;
}

// An image of this size is faster in dedicated memory, although each then costs an allocation.
static bool wants_dedicated(const struct vk_device *device, VkDeviceSize size)
{
    return vk_quirks(device->facts)->caches_dedicated && size >= 4 * MIB &&
           size <= device->facts->props11.maxMemoryAllocationSize;
}

static VkResult create_dedicated_memory(struct vk_device *device, VkImage image,
                                        const VkMemoryRequirements *needs, struct vk_buffer *range)
{
    struct vk_memory *memory = device->memory;
    struct vk_chunk *chunk;
    memset(range, 0, sizeof *range);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&memory->lock);
    result = vk_chunk_for_image(device, image, needs, &chunk);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && trim(device))
        result = vk_chunk_for_image(device, image, needs, &chunk);
    if (result == VK_SUCCESS) {
        fill_buffer(device, chunk, 0, needs->size, range);
        memory->used += needs->size;
    }
    pthread_mutex_unlock(&memory->lock);
    return result;
}

// Ranges begin at multiples of VK_BUFFER_ALIGN, so a larger range leaves space to align the image.
VkResult vk_memory_for_image(struct vk_device *device, VkImage image,
                             const VkMemoryRequirements *needs, struct vk_buffer *range)
{
    if (wants_dedicated(device, needs->size))
        return create_dedicated_memory(device, image, needs, range);
    VkDeviceSize align = needs->alignment;
    VkDeviceSize size = needs->size + (align > VK_BUFFER_ALIGN ? align - VK_BUFFER_ALIGN : 0);
    if (size > device->facts->props11.maxMemoryAllocationSize) // has a chunk of its own
        size = (needs->size + align - 1) / align * align;
    VkResult result = take_memory(device, VK_MEMORY_IMAGE, needs->memoryTypeBits, size, range);
    if (result != VK_SUCCESS)
        return result;
    if (range->chunk->sparse)
        return bind_image(device, image, needs->size, range->chunk);
    VkDeviceSize skip = (align - range->offset % align) % align;
    range->offset += skip;
    range->address += skip;
    return device->fn.BindImageMemory(device->handle, image, range->chunk->memory, range->offset);
}

static void free_oldest_spare(struct vk_device *device, enum vk_memory_kind kind)
{
    struct vk_chunk **at = &device->memory->spare[kind];
    while ((*at)->next)
        at = &(*at)->next;
    device->memory->spare_size[kind] -= (*at)->size;
    vk_chunk_free(device, *at);
    *at = NULL;
}

// The chunk used last is likely to be needed next.
static void keep_or_free(struct vk_device *device, struct vk_chunk *chunk)
{
    struct vk_memory *memory = device->memory;
    enum vk_memory_kind kind = chunk->kind;
    if (chunk->image || chunk->size > memory->spare_max[kind]) {
        vk_chunk_free(device, chunk);
        return;
    }
    while (memory->spare_size[kind] + chunk->size > memory->spare_max[kind])
        free_oldest_spare(device, kind);
    chunk->next = memory->spare[kind];
    memory->spare[kind] = chunk;
    memory->spare_size[kind] += chunk->size;
}

// Called when a shared chunk may have become empty: keeps one empty chunk per kind.
static void drop_second_empty(struct vk_device *device, enum vk_memory_kind kind)
{
    bool seen = false;
    for (struct vk_chunk **at = &device->memory->shared[kind]; *at;) {
        struct vk_chunk *chunk = *at;
        if (!chunk->ranges.used && seen) {
            *at = chunk->next;
            vk_chunk_free(device, chunk);
            continue;
        }
        seen |= !chunk->ranges.used;
        at = &chunk->next;
    }
}

void vk_buffer_destroy(struct vk_buffer *buffer)
{
    struct vk_device *device = buffer->device;
    struct vk_chunk *chunk = buffer->chunk;
    if (!device || device->fork_generation != thread_fork_generation())
        return;
    if (gate_ended() &&
        !chunk->after_end) { // a lost allocation: it may have been freed with the driver
        memset(buffer, 0, sizeof *buffer);
        return;
    }
    pthread_mutex_lock(&device->memory->lock);
    device->memory->used -= buffer->size;
    if (chunk->imported) {
        vk_chunk_free(device, chunk);
    } else if (chunk->dedicated) {
        keep_or_free(device, chunk);
    } else {
        suballoc_give(&chunk->ranges, buffer->node);
        if (!chunk->ranges.used)
            drop_second_empty(device, chunk->kind);
    }
    pthread_mutex_unlock(&device->memory->lock);
    memset(buffer, 0, sizeof *buffer);
}

// ---- non-coherent memory ------------------------------------------------------------------------

bool vk_buffer_is_foreign(const struct vk_buffer *buffer)
{
    return buffer->chunk->imported && buffer->chunk->kind == VK_MEMORY_DEVICE;
}

bool vk_buffer_coherent(const struct vk_buffer *buffer)
{
    return !buffer->chunk->atom;
}

// Rounded to whole atoms, which do not overlap other buffers.
static VkMappedMemoryRange mapped_range(const struct vk_buffer *buffer, VkDeviceSize offset,
                                        VkDeviceSize size)
{
    const struct vk_chunk *chunk = buffer->chunk;
    VkDeviceSize begin = buffer->offset + offset, end = begin + size;
    begin = begin / chunk->atom * chunk->atom;
    end = (end + chunk->atom - 1) / chunk->atom * chunk->atom;
    return (VkMappedMemoryRange){
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = chunk->memory,
        .offset = begin,
        .size = end < chunk->heap_bytes ? end - begin : VK_WHOLE_SIZE,
    };
}

VkResult vk_buffer_flush(struct vk_device *device, const struct vk_buffer *buffer,
                         VkDeviceSize offset, VkDeviceSize size)
{
    if (vk_buffer_coherent(buffer) || !size)
        return VK_SUCCESS;
    VkMappedMemoryRange range = mapped_range(buffer, offset, size);
    return vk_device_note(device, device->fn.FlushMappedMemoryRanges(device->handle, 1, &range),
                          "flushing memory");
}

VkResult vk_buffer_invalidate(struct vk_device *device, const struct vk_buffer *buffer,
                              VkDeviceSize offset, VkDeviceSize size)
{
    if (vk_buffer_coherent(buffer) || !size)
        return VK_SUCCESS;
    VkMappedMemoryRange range = mapped_range(buffer, offset, size);
    return vk_device_note(device,
                          device->fn.InvalidateMappedMemoryRanges(device->handle, 1, &range),
                          "invalidating memory");
}

// ---- import -------------------------------------------------------------------------------------

VkResult vk_buffer_import(struct vk_device *device, void *host, VkDeviceSize size,
                          struct vk_buffer *buffer)
{
    uint64_t align = device->facts->host_import_align;
    struct vk_chunk *chunk;
    memset(buffer, 0, sizeof *buffer);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (!align || !device->fn.GetMemoryHostPointerPropertiesEXT ||
        size > vk_buffer_max_size(device->facts) - 2 * align)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    uintptr_t begin = (uintptr_t)host & ~(uintptr_t)(align - 1);
    uintptr_t end = ((uintptr_t)host + size + align - 1) & ~(uintptr_t)(align - 1);
    pthread_mutex_lock(&device->memory->lock);
    result = vk_chunk_import(device, (uint8_t *)begin, end - begin, &chunk);
    if (result == VK_SUCCESS) {
        device->memory->used += size;
        fill_buffer(device, chunk, (uintptr_t)host - begin, size, buffer);
    }
    pthread_mutex_unlock(&device->memory->lock);
    return result;
}

VkResult vk_memory_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                         VkDeviceSize size, struct vk_buffer *buffer)
{
    struct vk_chunk *chunk;
    pthread_mutex_lock(&device->memory->lock);
    VkResult result = vk_chunk_adopt(device, handle, memory, size, &chunk);
    if (result == VK_SUCCESS) {
        device->memory->used += size;
        fill_buffer(device, chunk, 0, size, buffer);
    }
    pthread_mutex_unlock(&device->memory->lock);
    return result;
}

// ---- all memory of a device ---------------------------------------------------------------------

VkDeviceSize vk_buffer_max_size(const struct vk_facts *facts)
{
    return max_size(facts, VK_MEMORY_DEVICE);
}

void vk_memory_usage(struct vk_device *device, VkDeviceSize *used, VkDeviceSize *reserved)
{
    pthread_mutex_lock(&device->memory->lock);
    *used = device->memory->used;
    *reserved = device->memory->reserved;
    pthread_mutex_unlock(&device->memory->lock);
}

static bool is_cached(const struct vk_facts *facts, enum vk_memory_kind kind)
{
    int type = vk_memory_type(facts, kind, UINT32_MAX);
    return type >= 0 && facts->memory.memoryTypes[type].propertyFlags &
                            VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
}

// The largest heap of host memory of a device with memory of its own.
static VkDeviceSize host_heap(const struct vk_facts *facts)
{
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < facts->memory.memoryHeapCount && !facts->unified; i++)
        if (!(facts->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            facts->memory.memoryHeaps[i].size > most)
            most = facts->memory.memoryHeaps[i].size;
    return most;
}

// Small, because pinning host memory takes the driver 0.3 ms per megabyte. If a kernel can bind
// only a few buffers, several must be reachable by one binding, so a chunk is as large as a binding
// may be.
static VkDeviceSize chunk_for_buffers(const struct vk_facts *facts, bool few)
{
    VkDeviceSize size = facts->device_memory >= 4096 * MIB ? 32 * MIB : 8 * MIB;
    VkDeviceSize most = smaller(vk_storage_span(facts), facts->device_memory / 16);
    most = smaller(most / MIB * MIB, 256 * MIB);
    return few && most > size ? most : size;
}

VkResult vk_memory_init(struct vk_device *device)
{
    enum { FEW = 16 };
    const bool few = !device->facts->features.buffer_device_address && vk_storage_buffers(device->facts) < FEW;
    struct vk_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_init(&memory->lock, NULL);
    memory->chunk_size[VK_MEMORY_DEVICE] = chunk_for_buffers(device->facts, few);
    memory->chunk_size[VK_MEMORY_IMAGE] = chunk_for_buffers(device->facts, false);
    memory->sharers = few ? 2 : 4;
    memory->chunk_size[VK_MEMORY_UPLOAD] = 4 * MIB;
    memory->chunk_size[VK_MEMORY_READBACK] = 2 * MIB;
    memory->chunk_size[VK_MEMORY_STAGED] = 2 * MIB;
    memory->chunk_size[VK_MEMORY_SHARED] = memory->chunk_size[VK_MEMORY_DEVICE];
    memory->chunk_size[VK_MEMORY_SHARED_HOST] = 2 * MIB;
    memory->chunk_size[VK_MEMORY_UNIQUE] = memory->chunk_size[VK_MEMORY_DEVICE];
    memory->chunk_size[VK_MEMORY_WINDOW] = memory->chunk_size[VK_MEMORY_DEVICE];
    // Separate limits, so that freed large buffers do not evict the staging memory of transfers.
    VkDeviceSize sixteenth = device->facts->device_memory / 16;
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++)
        memory->spare_max[kind] = smaller(sixteenth, 256 * MIB);
    memory->spare_max[VK_MEMORY_DEVICE] = smaller(sixteenth, 1024 * MIB);
    memory->spare_max[VK_MEMORY_UNIQUE] = memory->spare_max[VK_MEMORY_DEVICE];
    memory->spare_max[VK_MEMORY_WINDOW] = memory->spare_max[VK_MEMORY_DEVICE];
    // This kind is used for mappings, which are often repeated.
    if (host_heap(device->facts))
        memory->spare_max[VK_MEMORY_READBACK] = smaller(host_heap(device->facts) / 16, 1024 * MIB);
    memory->spare_max[VK_MEMORY_STAGED] = memory->spare_max[VK_MEMORY_READBACK];
    memory->spare_max[VK_MEMORY_SHARED] = 0; // the addresses are needed for other memory
    memory->stages = !is_cached(device->facts, VK_MEMORY_READBACK) &&
                     is_cached(device->facts, VK_MEMORY_STAGED);
    device->memory = memory;
    return VK_SUCCESS;
}

// The chunks may no longer be mapped: later allocations use new ones. The old ones stay reachable
// for leak checkers.
void vk_memory_forget(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    memcpy(memory->abandoned, memory->shared, sizeof memory->shared);
    memcpy(memory->abandoned + VK_MEMORY_KIND_COUNT, memory->spare, sizeof memory->spare);
    memset(memory->shared, 0, sizeof memory->shared);
    memset(memory->spare, 0, sizeof memory->spare);
    memset(memory->spare_size, 0, sizeof memory->spare_size);
}

void vk_memory_finish(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    trim(device);
    if (memory->used)
        log_write(LOG_MEM, "%llu bytes of buffers have not been freed",
                  (unsigned long long)memory->used);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
    device->memory = NULL;
}
