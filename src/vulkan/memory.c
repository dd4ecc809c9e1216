// SPDX-License-Identifier: Apache-2.0
// Buffers, and memory for images, out of chunks. See memory.h.
//
// Small buffers are ranges of shared chunks; one empty chunk per kind is kept. A large buffer is a
// chunk of its own, and a few of those are kept after use as well, because taking memory from a
// driver costs up to a millisecond. All kept memory is given back before anyone is told that there
// is none. On a device without addresses a chunk has a number in place of its address.
#define _GNU_SOURCE
#include "vulkan/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/device.h"
#include "vulkan/heap.h"
#include "vulkan/submit.h"
#include "vulkan/suballoc.h"

#define MIB (UINT64_C(1) << 20)

enum { OWN_ROUND = 65536, LEAST_CHUNK = 65536, NUMBER_ROUND = 65536 };

struct vk_chunk {
    struct vk_chunk *next;
    VkDeviceMemory memory;
    VkDeviceMemory *pieces; // of a sparse chunk: piece_count of them instead of `memory`
    uint32_t piece_count;
    VkDeviceSize piece_size; // but for the last
    VkBuffer handle;
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
    struct vk_heap heaps[VK_MAX_MEMORY_HEAPS];
    struct vk_chunk *gone[2 * VK_MEMORY_KIND_COUNT]; // with the driver, at the end of the process
};

VkBufferUsageFlags vk_buffer_usage(const struct vk_facts *facts)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    return usage |
           (facts->features.buffer_device_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
                                                  : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
}

static bool has_addresses(const struct vk_device *device)
{
    return device->facts->features.buffer_device_address;
}

// ---- memory types -------------------------------------------------------------------------------

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    MAPPED = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
};

// Property sets to try in order: the type must have all of `has` and none of `not`.
static const struct type_wish {
    VkMemoryPropertyFlags has, not ;
} type_wishes[VK_MEMORY_KIND_COUNT][4] = {
    [VK_MEMORY_DEVICE] = {{LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {LOCAL, 0}},
    [VK_MEMORY_UPLOAD] = {{MAPPED, LOCAL | CACHED}, {MAPPED, LOCAL}, {MAPPED, 0}},
    [VK_MEMORY_READBACK] = {{MAPPED | CACHED, LOCAL}, {MAPPED | CACHED, 0}, {MAPPED, 0}},
    [VK_MEMORY_STAGED] = {{VISIBLE | CACHED, LOCAL}, {VISIBLE | CACHED, 0}},
    [VK_MEMORY_SHARED] = {{LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {LOCAL, 0}},
    [VK_MEMORY_SHARED_HOST] = {{MAPPED | CACHED, LOCAL}, {MAPPED | CACHED, 0}, {MAPPED, 0}},
    [VK_MEMORY_IMAGE] = {{LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {LOCAL, 0}},
    [VK_MEMORY_APART] = {{LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {LOCAL, 0}},
    [VK_MEMORY_WINDOW] = {{LOCAL | MAPPED, 0}},
};
static const struct type_wish unified_wishes[4] = {{LOCAL | MAPPED | CACHED, 0},
                                                   {LOCAL | MAPPED, 0}};

static bool for_device(enum vk_memory_kind kind)
{
    return kind == VK_MEMORY_DEVICE || kind == VK_MEMORY_SHARED || kind == VK_MEMORY_APART;
}

static bool is_shared(enum vk_memory_kind kind)
{
    return kind == VK_MEMORY_SHARED || kind == VK_MEMORY_SHARED_HOST;
}

int vk_memory_type(const struct vk_facts *facts, enum vk_memory_kind kind, uint32_t allowed)
{
    const VkMemoryPropertyFlags never =
        VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT;
    bool unified = facts->unified && for_device(kind);
    const struct type_wish *wishes = unified ? unified_wishes : type_wishes[kind];
    for (int w = 0; w < 4 && wishes[w].has; w++)
        for (uint32_t i = 0; i < facts->memory.memoryTypeCount; i++) {
            VkMemoryPropertyFlags flags = facts->memory.memoryTypes[i].propertyFlags;
            if (allowed >> i & 1 && (flags & wishes[w].has) == wishes[w].has &&
                !(flags & (wishes[w].not | never)))
                return (int)i;
        }
    return -1;
}

static bool is_cached(const struct vk_facts *facts, enum vk_memory_kind kind)
{
    int type = vk_memory_type(facts, kind, UINT32_MAX);
    return type >= 0 && facts->memory.memoryTypes[type].propertyFlags & CACHED;
}

// ---- chunks -------------------------------------------------------------------------------------

static void give_addresses(struct vk_chunk *chunk)
{
    if (chunk->shadow)
        munmap((void *)(uintptr_t)chunk->address, chunk->shadow);
    chunk->shadow = 0;
}

static bool on_cpu(const struct vk_device *device)
{
    return device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// A driver that finds no room for a mapping may say that all is well.
static VkResult map_memory(struct vk_device *device, VkDeviceMemory memory, uint8_t **host)
{
    void *at = NULL;
    VkResult result = device->fn.MapMemory(device->handle, memory, 0, VK_WHOLE_SIZE, 0, &at);
    bool mapped = result == VK_SUCCESS && at != MAP_FAILED;
    *host = mapped ? at : NULL;
    return mapped || result != VK_SUCCESS ? result : VK_ERROR_MEMORY_MAP_FAILED;
}

// Lavapipe keeps the pages of freed memory, for memory to come: the machine gets them back here.
static void free_memory(struct vk_device *device, VkDeviceMemory memory, void *host,
                        VkDeviceSize size)
{
    if (host && !gate_ended())
        madvise(host, size, MADV_REMOVE);
    device->fn.FreeMemory(device->handle, memory, NULL);
}

static void free_pieces(struct vk_device *device, struct vk_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->piece_count; i++) {
        VkDeviceSize left = chunk->taken - i * chunk->piece_size;
        uint8_t *host = NULL;
        if (on_cpu(device))
            map_memory(device, chunk->pieces[i], &host);
        free_memory(device, chunk->pieces[i], host,
                    left < chunk->piece_size ? left : chunk->piece_size);
    }
    free(chunk->pieces);
}

static void chunk_destroy(struct vk_device *device, struct vk_chunk *chunk)
{
    bool pages = on_cpu(device) && !chunk->imported;
    give_addresses(chunk);
    if (chunk->handle)
        device->fn.DestroyBuffer(device->handle, chunk->handle, NULL);
    if (chunk->memory)
        free_memory(device, chunk->memory, pages ? chunk->host : NULL, chunk->taken);
    free_pieces(device, chunk);
    if (chunk->taken)
        vk_heap_give(device, device->memory->heaps, chunk->type, chunk->taken);
    suballoc_finish(&chunk->ranges);
    free(chunk);
}

static VkResult chunk_make_buffer(struct vk_device *device, struct vk_chunk *chunk,
                                  VkMemoryRequirements *needs)
{
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
    };
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = chunk->imported ? &external : NULL,
        .flags = chunk->sparse ? VK_BUFFER_CREATE_SPARSE_BINDING_BIT : 0,
        .size = chunk->size,
        .usage = vk_buffer_usage(device->facts),
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkResult result = device->fn.CreateBuffer(device->handle, &info, NULL, &chunk->handle);
    if (result == VK_SUCCESS)
        device->fn.GetBufferMemoryRequirements(device->handle, chunk->handle, needs);
    return result;
}

// Numbers are no address's and never come again; they keep chunks apart and are aligned as their
// memory is.
static VkDeviceAddress next_number(struct vk_memory *memory, VkDeviceSize size)
{
    VkDeviceAddress number = memory->next_number + NUMBER_ROUND;
    memory->next_number = number + (size + NUMBER_ROUND - 1) / NUMBER_ROUND * NUMBER_ROUND;
    return number;
}

static VkDeviceAddress chunk_address(struct vk_device *device, const struct vk_chunk *chunk)
{
    if (!has_addresses(device))
        return next_number(device->memory, chunk->size);
    VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = chunk->handle,
    };
    return device->fn.GetBufferDeviceAddress(device->handle, &info);
}

// ---- the host at the device's addresses ---------------------------------------------------------

// Takes the range of the host's addresses that the chunk has on the device.
static bool take_addresses(struct vk_chunk *chunk, VkDeviceSize size, int protection)
{
    const VkDeviceSize page = 4096;
    void *at = (void *)(uintptr_t)chunk->address;
    chunk->shadow = (size + page - 1) / page * page;
    if (chunk->address % page == 0 &&
        mmap(at, chunk->shadow, protection,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == at)
        return true;
    log_write(LOG_MEM, "the host has no room at the device's address %p", at);
    chunk->shadow = 0;
    return false;
}

// Maps the memory at the device's address. The driver's mapping replaces the reserved range.
static VkResult map_placed(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size)
{
    uint64_t align = device->facts->map_placed_align;
    VkMemoryMapPlacedInfoEXT placed = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
        .pPlacedAddress = (void *)(uintptr_t)chunk->address,
    };
    VkMemoryMapInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR,
        .pNext = &placed,
        .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
        .memory = chunk->memory,
        .size = VK_WHOLE_SIZE,
    };
    if (!align || !device->fn.MapMemory2KHR || chunk->address % align)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    if (!take_addresses(chunk, size, PROT_NONE))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult result = device->fn.MapMemory2KHR(device->handle, &info, (void **)&chunk->host);
    if (result == VK_SUCCESS)
        chunk->shadow = 0; // goes with the memory
    return result;
}

// A driver for CPUs maps memory at the address that its kernels know; others can be told to; else
// the host gets memory of its own there.
static VkResult chunk_share(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size,
                            bool visible)
{
    VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
    if (!has_addresses(device))
        return result;
    if (visible && device->facts->map_placed_align)
        result = map_placed(device, chunk, size);
    else if (visible)
        result = map_memory(device, chunk->memory, &chunk->host);
    if (result == VK_SUCCESS && (uintptr_t)chunk->host == chunk->address)
        return VK_SUCCESS;
    chunk->host = NULL;
    give_addresses(chunk);
    if (chunk->kind == VK_MEMORY_SHARED_HOST)
        return result == VK_SUCCESS ? VK_ERROR_FEATURE_NOT_PRESENT : result;
    return take_addresses(chunk, size, PROT_READ | PROT_WRITE) ? VK_SUCCESS
                                                               : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

// The addresses of a driver that is software are the process's own to begin with, whatever device
// it plays; of all others the host gives its own away.
static VkResult set_apart(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size)
{
    VkDriverId driver = device->facts->props12.driverID;
    if (!has_addresses(device) || on_cpu(device) || driver == VK_DRIVER_ID_MESA_LLVMPIPE ||
        driver == VK_DRIVER_ID_GOOGLE_SWIFTSHADER)
        return VK_SUCCESS;
    return take_addresses(chunk, size, PROT_NONE) ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

// ---- their memory -------------------------------------------------------------------------------

// A driver for CPUs tells by the mapping alone that there was no room.
static bool may_be_mapped(const struct vk_device *device, enum vk_memory_kind kind)
{
    if (for_device(kind))
        return device->facts->unified;
    return kind != VK_MEMORY_IMAGE || on_cpu(device);
}

// Allocates (or imports, where `import` says what) and binds; then address and mapping.
static VkResult chunk_make_memory(struct vk_device *device, struct vk_chunk *chunk, int type,
                                  VkDeviceSize size, const void *import)
{
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = import,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = has_addresses(device) ? &flags : import,
        .allocationSize = size,
        .memoryTypeIndex = (uint32_t)type,
    };
    VkResult result = device->fn.AllocateMemory(device->handle, &info, NULL, &chunk->memory);
    if (result == VK_SUCCESS)
        result = device->fn.BindBufferMemory(device->handle, chunk->handle, chunk->memory, 0);
    if (result != VK_SUCCESS)
        return result;
    chunk->address = chunk_address(device, chunk);
    VkMemoryPropertyFlags has = device->facts->memory.memoryTypes[type].propertyFlags;
    VkMemoryPropertyFlags wanted = chunk->kind == VK_MEMORY_STAGED ? VISIBLE : MAPPED;
    bool visible = (has & wanted) == wanted && may_be_mapped(device, chunk->kind);
    if (!(has & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
        chunk->atom = device->facts->props.limits.nonCoherentAtomSize;
    if (is_shared(chunk->kind))
        return chunk_share(device, chunk, size, visible);
    if (chunk->kind == VK_MEMORY_APART)
        result = set_apart(device, chunk, size);
    if (result != VK_SUCCESS)
        return result;
    return visible && !import ? map_memory(device, chunk->memory, &chunk->host) : VK_SUCCESS;
}

// The pieces, one behind the other.
static VkResult bind_pieces(struct vk_device *device, const struct vk_chunk *chunk,
                            const VkSparseMemoryBind *binds)
{
    VkSparseBufferMemoryBindInfo buffer = {chunk->handle, chunk->piece_count, binds};
    VkBindSparseInfo info = {.bufferBindCount = 1, .pBufferBinds = &buffer};
    return vk_bind_sparse(device, &info);
}

static VkResult chunk_make_pieces(struct vk_device *device, struct vk_chunk *chunk, int type,
                                  const VkMemoryRequirements *needs)
{
    VkDeviceSize step = device->facts->props11.maxMemoryAllocationSize / 2;
    step = step / needs->alignment * needs->alignment;
    uint32_t count = (uint32_t)((needs->size + step - 1) / step);
    VkSparseMemoryBind *binds = calloc(count, sizeof *binds);
    VkResult result = VK_SUCCESS;
    chunk->pieces = calloc(count, sizeof *chunk->pieces);
    if (!binds || !chunk->pieces)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        VkMemoryAllocateFlagsInfo flags = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
        };
        VkDeviceSize left = needs->size - i * step;
        VkMemoryAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .pNext = has_addresses(device) ? &flags : NULL,
            .allocationSize = left < step ? left : step,
            .memoryTypeIndex = (uint32_t)type,
        };
        result = device->fn.AllocateMemory(device->handle, &info, NULL, &chunk->pieces[i]);
        chunk->piece_count += result == VK_SUCCESS;
        binds[i] = (VkSparseMemoryBind){
            .resourceOffset = i * step, .size = info.allocationSize, .memory = chunk->pieces[i]};
    }
    chunk->piece_size = step;
    if (result == VK_SUCCESS)
        result = bind_pieces(device, chunk, binds);
    if (result == VK_SUCCESS)
        chunk->address = chunk_address(device, chunk);
    if (result == VK_SUCCESS && is_shared(chunk->kind))
        result = chunk_share(device, chunk, needs->size, false);
    if (result == VK_SUCCESS && chunk->kind == VK_MEMORY_APART)
        result = set_apart(device, chunk, needs->size);
    free(binds);
    return result;
}

// A refusal for lack of space is told apart from all others, which are not the caller's business.
static VkResult chunk_result(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_DEVICE_LOST:
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return result;
    default:
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
}

static VkResult chunk_take(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size)
{
    if (gate_ended()) // nothing is given back any more, and it costs nothing
        return VK_SUCCESS;
    if (!vk_heap_take(device, device->memory->heaps, chunk->type, size))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    chunk->taken = size;
    return VK_SUCCESS;
}

// `types`: the memory types that will do.
static VkResult chunk_create(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                             VkDeviceSize size, struct vk_chunk **out)
{
    VkMemoryRequirements needs;
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    chunk->kind = kind;
    chunk->size = size;
    chunk->late = gate_ended();
    chunk->sparse = (for_device(kind) || kind == VK_MEMORY_IMAGE) &&
                    size > device->facts->props11.maxMemoryAllocationSize;
    VkResult result = chunk_make_buffer(device, chunk, &needs);
    if (result == VK_SUCCESS)
        chunk->type = vk_memory_type(device->facts, kind, needs.memoryTypeBits & types);
    if (result == VK_SUCCESS && chunk->type < 0)
        result = VK_ERROR_FEATURE_NOT_PRESENT;
    if (result == VK_SUCCESS)
        result = chunk_take(device, chunk, needs.size);
    if (result == VK_SUCCESS)
        result = chunk->sparse ? chunk_make_pieces(device, chunk, chunk->type, &needs)
                               : chunk_make_memory(device, chunk, chunk->type, needs.size, NULL);
    if (result != VK_SUCCESS) {
        chunk_destroy(device, chunk);
        return chunk_result(vk_device_note(device, result, "taking memory"));
    }
    device->memory->reserved += size;
    *out = chunk;
    return VK_SUCCESS;
}

static void chunk_free(struct vk_device *device, struct vk_chunk *chunk)
{
    device->memory->reserved -= chunk->size;
    chunk_destroy(device, chunk);
}

// Gives all memory without buffers back to the driver; true if there was some.
static bool trim(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    bool some = false;
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++) {
        while (memory->kept[kind]) {
            struct vk_chunk *chunk = memory->kept[kind];
            memory->kept[kind] = chunk->next;
            memory->kept_size[kind] -= chunk->size;
            chunk_free(device, chunk);
            some = true;
        }
        for (struct vk_chunk **at = &memory->shared[kind]; *at;) {
            struct vk_chunk *chunk = *at;
            if (chunk->ranges.used) {
                at = &chunk->next;
                continue;
            }
            *at = chunk->next;
            chunk_free(device, chunk);
            some = true;
        }
    }
    return some;
}

static VkResult chunk_create_or_trim(struct vk_device *device, enum vk_memory_kind kind,
                                     uint32_t types, VkDeviceSize size, struct vk_chunk **out)
{
    VkResult result = chunk_create(device, kind, types, size, out);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && trim(device))
        result = chunk_create(device, kind, types, size, out);
    return result;
}

// A chunk to share, or a smaller one where there is no memory for a whole one.
static VkResult chunk_create_less(struct vk_device *device, enum vk_memory_kind kind,
                                  uint32_t types, VkDeviceSize least, struct vk_chunk **out)
{
    VkDeviceSize size = device->memory->chunk_size[kind];
    VkResult result = chunk_create_or_trim(device, kind, types, size, out);
    while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && size / 2 >= LEAST_CHUNK &&
           size / 2 >= least) {
        size /= 2;
        result = chunk_create(device, kind, types, size, out);
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
        chunk_free(device, chunk);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    chunk->next = memory->shared[kind];
    memory->shared[kind] = chunk;
    return take_range(device, chunk, size, buffer) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

// The smallest kept chunk that holds `size` without wasting more than a quarter.
static struct vk_chunk *take_kept(struct vk_memory *memory, enum vk_memory_kind kind,
                                  uint32_t types, VkDeviceSize size)
{
    struct vk_chunk **best = NULL;
    for (struct vk_chunk **at = &memory->kept[kind]; *at; at = &(*at)->next)
        if ((*at)->size >= size && (*at)->size - size <= size / 4 && types >> (*at)->type & 1 &&
            (!best || (*at)->size < (*best)->size))
            best = at;
    if (!best)
        return NULL;
    struct vk_chunk *chunk = *best;
    *best = chunk->next;
    memory->kept_size[kind] -= chunk->size;
    return chunk;
}

static VkResult create_own(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                           VkDeviceSize size, struct vk_buffer *buffer)
{
    VkDeviceSize rounded = (size + OWN_ROUND - 1) / OWN_ROUND * OWN_ROUND;
    if (rounded > vk_buffer_max_size(device->facts) ||
        size > device->facts->props11.maxMemoryAllocationSize)
        rounded = (size + 15) / 16 * 16; // bindings do not end within 16 bytes
    struct vk_chunk *chunk = take_kept(device->memory, kind, types, size);
    VkResult result = VK_SUCCESS;
    if (!chunk)
        result = chunk_create_or_trim(device, kind, types, rounded, &chunk);
    if (result != VK_SUCCESS)
        return result;
    chunk->own = true;
    fill_buffer(device, chunk, 0, size, buffer);
    return VK_SUCCESS;
}

static VkDeviceSize smaller(VkDeviceSize a, VkDeviceSize b)
{
    return a < b ? a : b;
}

VkDeviceSize vk_storage_range(const struct vk_facts *facts)
{
    const VkDeviceSize align = VK_BUFFER_ALIGN;
    if (facts->features.buffer_device_address)
        return UINT64_MAX;
    VkDeviceSize range = facts->props.limits.maxStorageBufferRange;
    if (!facts->features.int64) // a pointer of 32 bits has 27 for the place in its buffer
        range = smaller(range, (VkDeviceSize)128 << 20);
    return range / align * align - align;
}

uint32_t vk_storage_buffers(const struct vk_facts *facts)
{
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    VkDeviceSize stage =
        smaller(limits->maxPerStageDescriptorStorageBuffers, limits->maxPerStageResources);
    return (uint32_t)smaller(stage, limits->maxDescriptorSetStorageBuffers);
}

// No kernel binds what images lie in.
static VkDeviceSize max_size(const struct vk_facts *facts, enum vk_memory_kind kind)
{
    VkDeviceSize most = smaller(facts->device_memory, facts->props13.maxBufferSize);
    most = smaller(most, SIZE_MAX / 4 + 1); // where size_t has 32 bits 1 GiB, for which mappings find room
    if (kind != VK_MEMORY_IMAGE)
        most = smaller(most, vk_storage_range(facts));
    return facts->sparse ? most : smaller(most, facts->props11.maxMemoryAllocationSize);
}

static VkResult take_memory(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                            VkDeviceSize size, struct vk_buffer *buffer)
{
    struct vk_memory *memory = device->memory;
    memset(buffer, 0, sizeof *buffer);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (kind == VK_MEMORY_STAGED && !memory->stages)
        kind = VK_MEMORY_READBACK;
    if (size > max_size(device->facts, kind)) {
        log_write(LOG_MEM, "a buffer of %llu bytes is over the device's limit",
                  (unsigned long long)size);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    pthread_mutex_lock(&memory->lock);
    result = size > memory->chunk_size[kind] / memory->sharers
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
        bool some = device->facts->window && size <= device->memory->chunk_size[kind] / device->memory->sharers;
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

// A range begins at a multiple of VK_BUFFER_ALIGN: one that is longer by the rest can be aligned.
VkResult vk_memory_for_image(struct vk_device *device, VkImage image,
                             const VkMemoryRequirements *needs, struct vk_buffer *range)
{
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

static void free_oldest_kept(struct vk_device *device, enum vk_memory_kind kind)
{
    struct vk_chunk **at = &device->memory->kept[kind];
    while ((*at)->next)
        at = &(*at)->next;
    device->memory->kept_size[kind] -= (*at)->size;
    chunk_free(device, *at);
    *at = NULL;
}

// What was used last is what is wanted next.
static void keep_or_free(struct vk_device *device, struct vk_chunk *chunk)
{
    struct vk_memory *memory = device->memory;
    enum vk_memory_kind kind = chunk->kind;
    if (chunk->size > memory->kept_max[kind]) {
        chunk_free(device, chunk);
        return;
    }
    while (memory->kept_size[kind] + chunk->size > memory->kept_max[kind])
        free_oldest_kept(device, kind);
    chunk->next = memory->kept[kind];
    memory->kept[kind] = chunk;
    memory->kept_size[kind] += chunk->size;
}

// Called when a shared chunk may have become empty: one empty chunk per kind is enough.
static void drop_second_empty(struct vk_device *device, enum vk_memory_kind kind)
{
    bool seen = false;
    for (struct vk_chunk **at = &device->memory->shared[kind]; *at;) {
        struct vk_chunk *chunk = *at;
        if (!chunk->ranges.used && seen) {
            *at = chunk->next;
            chunk_free(device, chunk);
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
    if (gate_ended() && !chunk->late) { // not to be used again: it may have gone with the driver
        memset(buffer, 0, sizeof *buffer);
        return;
    }
    pthread_mutex_lock(&device->memory->lock);
    device->memory->used -= buffer->size;
    if (chunk->imported) {
        chunk_free(device, chunk);
    } else if (chunk->own) {
        keep_or_free(device, chunk);
    } else {
        suballoc_give(&chunk->ranges, buffer->node);
        if (!chunk->ranges.used)
            drop_second_empty(device, chunk->kind);
    }
    pthread_mutex_unlock(&device->memory->lock);
    memset(buffer, 0, sizeof *buffer);
}

// ---- what is not coherent -----------------------------------------------------------------------

bool vk_buffer_coherent(const struct vk_buffer *buffer)
{
    return !buffer->chunk->atom;
}

// In whole atoms; no other buffer has a part of them.
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
        .size = end < chunk->taken ? end - begin : VK_WHOLE_SIZE,
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

static VkResult import_memory(struct vk_device *device, struct vk_chunk *chunk, void *pages)
{
    const VkExternalMemoryHandleTypeFlagBits host_type =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT allowed = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkMemoryRequirements needs;
    VkResult result =
        device->fn.GetMemoryHostPointerPropertiesEXT(device->handle, host_type, pages, &allowed);
    if (result == VK_SUCCESS)
        result = chunk_make_buffer(device, chunk, &needs);
    if (result != VK_SUCCESS)
        return result;
    uint32_t types = allowed.memoryTypeBits & needs.memoryTypeBits;
    int type = vk_memory_type(device->facts, VK_MEMORY_READBACK, types);
    if (type < 0)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = host_type,
        .pHostPointer = pages,
    };
    return chunk_make_memory(device, chunk, type, chunk->size, &import);
}

VkResult vk_buffer_import(struct vk_device *device, void *host, VkDeviceSize size,
                          struct vk_buffer *buffer)
{
    uint64_t align = device->facts->host_import_align;
    memset(buffer, 0, sizeof *buffer);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (!align || !device->fn.GetMemoryHostPointerPropertiesEXT ||
        size > vk_buffer_max_size(device->facts) - 2 * align)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    uintptr_t begin = (uintptr_t)host & ~(uintptr_t)(align - 1);
    uintptr_t end = ((uintptr_t)host + size + align - 1) & ~(uintptr_t)(align - 1);
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    chunk->kind = VK_MEMORY_READBACK;
    chunk->imported = true;
    chunk->size = end - begin;
    pthread_mutex_lock(&device->memory->lock);
    result = import_memory(device, chunk, (void *)begin);
    if (result == VK_SUCCESS) {
        chunk->host = (uint8_t *)begin;
        device->memory->reserved += chunk->size;
        device->memory->used += size;
        fill_buffer(device, chunk, (uintptr_t)host - begin, size, buffer);
    } else {
        vk_device_note(device, result, "importing host pages");
        chunk_destroy(device, chunk);
        result = result == VK_ERROR_DEVICE_LOST ? result : VK_ERROR_FEATURE_NOT_PRESENT;
    }
    pthread_mutex_unlock(&device->memory->lock);
    return result;
}

// An image's memory has a number, for nobody goes there by an address.
VkResult vk_memory_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                         VkDeviceSize size, struct vk_buffer *buffer)
{
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *chunk = (struct vk_chunk){
        .memory = memory,
        .handle = handle,
        .size = size,
        .kind = handle ? VK_MEMORY_DEVICE : VK_MEMORY_IMAGE,
        .imported = true,
    };
    pthread_mutex_lock(&device->memory->lock);
    chunk->address = handle ? chunk_address(device, chunk) : next_number(device->memory, size);
    device->memory->reserved += size;
    device->memory->used += size;
    fill_buffer(device, chunk, 0, size, buffer);
    pthread_mutex_unlock(&device->memory->lock);
    return VK_SUCCESS;
}

// ---- the whole ----------------------------------------------------------------------------------

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

// Of the host's memory that a device with its own sees.
static VkDeviceSize host_heap(const struct vk_facts *facts)
{
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < facts->memory.memoryHeapCount && !facts->unified; i++)
        if (!(facts->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            facts->memory.memoryHeaps[i].size > most)
            most = facts->memory.memoryHeaps[i].size;
    return most;
}

// Pinning host memory takes a driver 0.3 ms a megabyte: little at a time. Where a kernel binds but a few
// buffers, several must be reached by one binding: there a chunk is as large as that may be.
static VkDeviceSize chunk_for_buffers(const struct vk_facts *facts, bool few)
{
    VkDeviceSize size = facts->device_memory >= 4096 * MIB ? 32 * MIB : 8 * MIB;
    VkDeviceSize most = smaller(vk_storage_range(facts) + VK_BUFFER_ALIGN, facts->device_memory / 16);
    most = smaller(most / MIB * MIB, 256 * MIB);
    return few && most > size ? most : size;
}

VkResult vk_memory_init(struct vk_device *device)
{
    enum { FEW = 16 };
    const bool few = !has_addresses(device) && vk_storage_buffers(device->facts) < FEW;
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
    memory->chunk_size[VK_MEMORY_APART] = memory->chunk_size[VK_MEMORY_DEVICE];
    memory->chunk_size[VK_MEMORY_WINDOW] = memory->chunk_size[VK_MEMORY_DEVICE];
    // A limit for each: large buffers that were freed must not cost the transfers their staging
    // memory.
    VkDeviceSize sixteenth = device->facts->device_memory / 16;
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++)
        memory->kept_max[kind] = smaller(sixteenth, 256 * MIB);
    memory->kept_max[VK_MEMORY_DEVICE] = smaller(sixteenth, 1024 * MIB);
    memory->kept_max[VK_MEMORY_APART] = memory->kept_max[VK_MEMORY_DEVICE];
    // Mappings live in it, which come again and again.
    if (host_heap(device->facts))
        memory->kept_max[VK_MEMORY_READBACK] = smaller(host_heap(device->facts) / 16, 1024 * MIB);
    memory->kept_max[VK_MEMORY_STAGED] = memory->kept_max[VK_MEMORY_READBACK];
    memory->kept_max[VK_MEMORY_SHARED] = 0; // its addresses are of use to others
    memory->stages = !is_cached(device->facts, VK_MEMORY_READBACK) &&
                     is_cached(device->facts, VK_MEMORY_STAGED);
    device->memory = memory;
    return VK_SUCCESS;
}

// Its chunks may be mapped no longer: what is taken from now on comes from new ones. Leak checkers
// still find the old.
void vk_memory_forget(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    memcpy(memory->gone, memory->shared, sizeof memory->shared);
    memcpy(memory->gone + VK_MEMORY_KIND_COUNT, memory->kept, sizeof memory->kept);
    memset(memory->shared, 0, sizeof memory->shared);
    memset(memory->kept, 0, sizeof memory->kept);
    memset(memory->kept_size, 0, sizeof memory->kept_size);
}

void vk_memory_finish(struct vk_device *device)
{
    struct vk_memory *memory = device->memory;
    trim(device);
    if (memory->used)
        log_write(LOG_MEM, "%llu bytes of buffers are left", (unsigned long long)memory->used);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
    device->memory = NULL;
}
