// SPDX-License-Identifier: Apache-2.0
// Chunks: memory types, allocation in one or several pieces, import, addresses and mappings. See
// chunk.h.
//
// A chunk that exceeds maxMemoryAllocationSize is allocated in pieces; if the driver is known to
// allocate more than that at once, only after that has failed. On a device without buffer device
// addresses a chunk has a number instead of an address. Memory shared with the host is accessible
// at the device's address: mapped there, or separate host memory.
#define _GNU_SOURCE
#include "vulkan/chunk.h"

#include <stdlib.h>

#include "platform/platform.h"
#include "util/gate.h"
#include "util/log.h"
#include "vulkan/device.h"
#include "vulkan/quirks.h"
#include "vulkan/submit.h"

enum { NUMBER_ROUND = 65536 };

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

// Sets of properties to try in order: the type must have all of `has` and none of `not`.
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
    [VK_MEMORY_UNIQUE] = {{LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {LOCAL, 0}},
    [VK_MEMORY_WINDOW] = {{LOCAL | MAPPED, 0}},
};
static const struct type_wish unified_wishes[4] = {{LOCAL | MAPPED | CACHED, 0},
                                                   {LOCAL | MAPPED, 0}};

static bool for_device(enum vk_memory_kind kind)
{
    return kind == VK_MEMORY_DEVICE || kind == VK_MEMORY_SHARED || kind == VK_MEMORY_UNIQUE;
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

// ---- chunks -------------------------------------------------------------------------------------

static void release_addresses(struct vk_chunk *chunk)
{
    if (chunk->host_size)
        pages_unmap((void *)(uintptr_t)chunk->address, chunk->host_size);
    chunk->host_size = 0;
}

static bool on_cpu(const struct vk_device *device)
{
    return device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// Some drivers report success although there are no free addresses for a mapping.
#define NO_MAPPING ((void *)UINTPTR_MAX)
static VkResult map_memory(struct vk_device *device, VkDeviceMemory memory, uint8_t **host)
{
    void *at = NULL;
    VkResult result = device->fn.MapMemory(device->handle, memory, 0, VK_WHOLE_SIZE, 0, &at);
    bool mapped = result == VK_SUCCESS && at != NO_MAPPING;
    *host = mapped ? at : NULL;
    return mapped || result != VK_SUCCESS ? result : VK_ERROR_MEMORY_MAP_FAILED;
}

// Lavapipe keeps the pages of freed memory for later allocations; this returns them to the system.
static void free_memory(struct vk_device *device, VkDeviceMemory memory, void *host,
                        VkDeviceSize size)
{
    if (host && !gate_ended())
        pages_drop_shared(host, size);
    device->fn.FreeMemory(device->handle, memory, NULL);
}

static void free_pieces(struct vk_device *device, struct vk_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->piece_count; i++) {
        VkDeviceSize left = chunk->heap_bytes - i * chunk->piece_size;
        uint8_t *host = NULL;
        if (on_cpu(device))
            map_memory(device, chunk->pieces[i], &host);
        free_memory(device, chunk->pieces[i], host,
                    left < chunk->piece_size ? left : chunk->piece_size);
    }
    free(chunk->pieces);
}

// Releases everything that belongs to the driver.
static void chunk_drop(struct vk_device *device, struct vk_chunk *chunk)
{
    bool pages = on_cpu(device) && !chunk->imported;
    release_addresses(chunk);
    if (chunk->handle)
        device->fn.DestroyBuffer(device->handle, chunk->handle, NULL);
    if (chunk->memory)
        free_memory(device, chunk->memory, pages ? chunk->host : NULL, chunk->heap_bytes);
    free_pieces(device, chunk);
    if (chunk->heap_bytes)
        vk_heap_give(device, device->memory->heaps, chunk->type, chunk->heap_bytes);
}

static void chunk_destroy(struct vk_device *device, struct vk_chunk *chunk)
{
    chunk_drop(device, chunk);
    suballoc_finish(&chunk->ranges);
    free(chunk);
}

static VkResult chunk_make_buffer(struct vk_device *device, struct vk_chunk *chunk,
                                  VkMemoryRequirements *needs)
{
    const struct vk_facts *facts = device->facts;
    const uint32_t families[] = {facts->queue_family, facts->copy_family};
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
        .sharingMode = device->copy_queue_count ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = device->copy_queue_count ? 2 : 0,
        .pQueueFamilyIndices = families,
    };
    VkResult result = device->fn.CreateBuffer(device->handle, &info, NULL, &chunk->handle);
    if (result == VK_SUCCESS)
        device->fn.GetBufferMemoryRequirements(device->handle, chunk->handle, needs);
    return result;
}

// A number that is never reused and is not an address. It distinguishes chunks and is aligned like
// their memory.
static VkDeviceAddress next_number(struct vk_memory *memory, VkDeviceSize size)
{
    VkDeviceAddress number = memory->next_number + NUMBER_ROUND;
    memory->next_number = number + (size + NUMBER_ROUND - 1) / NUMBER_ROUND * NUMBER_ROUND;
    return number;
}

static VkDeviceAddress chunk_address(struct vk_device *device, const struct vk_chunk *chunk)
{
    const VkDeviceAddress none_has = UINT64_C(1) << 63;
    if (chunk->image)
        return none_has | next_number(device->memory, chunk->size);
    if (!has_addresses(device))
        return next_number(device->memory, chunk->size);
    VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = chunk->handle,
    };
    return device->fn.GetBufferDeviceAddress(device->handle, &info);
}

// ---- host memory at device addresses ------------------------------------------------------------

// Reserves the chunk's device address range among the host's addresses.
static bool reserve_addresses(struct vk_chunk *chunk, VkDeviceSize size, bool usable)
{
    const VkDeviceSize page = 4096;
    void *at = (void *)(uintptr_t)chunk->address;
    chunk->host_size = (size + page - 1) / page * page;
    if (chunk->address % page == 0 && pages_map_at(at, chunk->host_size, usable))
        return true;
    log_write(LOG_MEM, "the host addresses at the device's address %p are in use", at);
    chunk->host_size = 0;
    return false;
}

// Maps the memory at its device address. The driver's mapping replaces the reserved range.
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
    if (!reserve_addresses(chunk, size, false))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult result = device->fn.MapMemory2KHR(device->handle, &info, (void **)&chunk->host);
    if (result == VK_SUCCESS)
        chunk->host_size = 0; // unmapped together with the memory
    return result;
}

// A CPU driver maps memory at the address that its kernels use. Other drivers can map at a given
// address, or else separate host memory is mapped there.
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
    release_addresses(chunk);
    if (chunk->kind == VK_MEMORY_SHARED_HOST)
        return result == VK_SUCCESS ? VK_ERROR_FEATURE_NOT_PRESENT : result;
    return reserve_addresses(chunk, size, true) ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

// Makes the addresses unique. Those of a software driver are host addresses anyway, whichever
// device type it reports; for all others the host reserves the range.
static VkResult make_unique(struct vk_device *device, struct vk_chunk *chunk, VkDeviceSize size)
{
    VkDriverId driver = device->facts->props12.driverID;
    if (!has_addresses(device) || on_cpu(device) || driver == VK_DRIVER_ID_MESA_LLVMPIPE ||
        driver == VK_DRIVER_ID_GOOGLE_SWIFTSHADER)
        return VK_SUCCESS;
    return reserve_addresses(chunk, size, false) ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

// ---- allocation ---------------------------------------------------------------------------------

// With a CPU driver, only the mapping shows that the allocation has failed.
static bool may_be_mapped(const struct vk_device *device, enum vk_memory_kind kind)
{
    if (for_device(kind))
        return device->facts->unified;
    return kind != VK_MEMORY_IMAGE || on_cpu(device);
}

// Allocates (or imports `import`) and binds; then gets the address and maps. Memory for a single
// buffer or image is marked as dedicated (caches_dedicated in quirks.h).
static VkResult chunk_make_memory(struct vk_device *device, struct vk_chunk *chunk, int type,
                                  VkDeviceSize size, const void *import)
{
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = import,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .pNext = has_addresses(device) ? &flags : import,
        .image = chunk->image,
        .buffer = chunk->handle,
    };
    bool is_dedicated = !import && (chunk->kind != VK_MEMORY_IMAGE || chunk->image);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = is_dedicated ? &dedicated : dedicated.pNext,
        .allocationSize = size,
        .memoryTypeIndex = (uint32_t)type,
    };
    VkResult result = device->fn.AllocateMemory(device->handle, &info, NULL, &chunk->memory);
    if (result == VK_SUCCESS)
        result = chunk->image ? device->fn.BindImageMemory(device->handle, chunk->image, chunk->memory, 0)
                              : device->fn.BindBufferMemory(device->handle, chunk->handle, chunk->memory, 0);
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
    if (chunk->kind == VK_MEMORY_UNIQUE)
        result = make_unique(device, chunk, size);
    if (result != VK_SUCCESS)
        return result;
    return visible && !import ? map_memory(device, chunk->memory, &chunk->host) : VK_SUCCESS;
}

// Binds the pieces one after the other.
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
    if (result == VK_SUCCESS && chunk->kind == VK_MEMORY_UNIQUE)
        result = make_unique(device, chunk, needs->size);
    free(binds);
    return result;
}

// Distinguishes out-of-memory errors from all others, whose details do not matter to the caller.
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

static VkResult chunk_count_memory(struct vk_device *device, struct vk_chunk *chunk,
                                   VkDeviceSize size)
{
    if (gate_ended()) // nothing is freed any more, and these allocations cost nothing
        return VK_SUCCESS;
    if (!vk_heap_take(device, device->memory->heaps, chunk->type, size))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    chunk->heap_bytes = size;
    return VK_SUCCESS;
}

// Vulkan allows requests above maxMemoryAllocationSize, which may fail.
static bool may_be_beyond(const struct vk_device *device, enum vk_memory_kind kind)
{
    return for_device(kind) && vk_quirks(device->facts)->allocates_beyond;
}

static VkResult chunk_fill(struct vk_device *device, struct vk_chunk *chunk, uint32_t types,
                           const VkMemoryRequirements *needs)
{
    chunk->type = vk_memory_type(device->facts, chunk->kind, needs->memoryTypeBits & types);
    if (chunk->type < 0)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = chunk_count_memory(device, chunk, needs->size);
    if (result != VK_SUCCESS)
        return result;
    return chunk->sparse ? chunk_make_pieces(device, chunk, chunk->type, needs)
                         : chunk_make_memory(device, chunk, chunk->type, needs->size, NULL);
}

static VkResult chunk_make(struct vk_device *device, struct vk_chunk *chunk, uint32_t types)
{
    VkMemoryRequirements needs;
    VkResult result = chunk_make_buffer(device, chunk, &needs);
    return result == VK_SUCCESS ? chunk_fill(device, chunk, types, &needs) : result;
}

static VkResult chunk_done(struct vk_device *device, struct vk_chunk *chunk, VkResult result, struct vk_chunk **out)
{
    if (result != VK_SUCCESS) {
        chunk_destroy(device, chunk);
        return chunk_result(vk_device_note(device, result, "allocating memory"));
    }
    device->memory->reserved += chunk->size;
    *out = chunk;
    return VK_SUCCESS;
}

VkResult vk_chunk_create(struct vk_device *device, enum vk_memory_kind kind, uint32_t types,
                         VkDeviceSize size, struct vk_chunk **out)
{
    bool large = (for_device(kind) || kind == VK_MEMORY_IMAGE) &&
                 size > device->facts->props11.maxMemoryAllocationSize;
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *chunk = (struct vk_chunk){.kind = kind, .size = size, .after_end = gate_ended()};
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (!large || may_be_beyond(device, kind))
        result = chunk_make(device, chunk, types);
    if (large && result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        chunk_drop(device, chunk);
        *chunk = (struct vk_chunk){
            .kind = kind, .size = size, .after_end = chunk->after_end, .sparse = true};
        result = chunk_make(device, chunk, types);
    }
    return chunk_done(device, chunk, result, out);
}

VkResult vk_chunk_for_image(struct vk_device *device, VkImage image, const VkMemoryRequirements *needs,
                            struct vk_chunk **out)
{
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *chunk = (struct vk_chunk){.kind = VK_MEMORY_IMAGE,
                               .size = needs->size,
                               .image = image,
                               .dedicated = true,
                               .after_end = gate_ended()};
    return chunk_done(device, chunk, chunk_fill(device, chunk, UINT32_MAX, needs), out);
}

void vk_chunk_free(struct vk_device *device, struct vk_chunk *chunk)
{
    device->memory->reserved -= chunk->size;
    chunk_destroy(device, chunk);
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


VkResult vk_chunk_import(struct vk_device *device, uint8_t *pages, VkDeviceSize size,
                         struct vk_chunk **out)
{
    struct vk_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    chunk->kind = VK_MEMORY_READBACK;
    chunk->imported = true;
    chunk->size = size;
    VkResult result = import_memory(device, chunk, pages);
    if (result != VK_SUCCESS) {
        vk_device_note(device, result, "importing host pages");
        chunk_destroy(device, chunk);
        return result == VK_ERROR_DEVICE_LOST ? result : VK_ERROR_FEATURE_NOT_PRESENT;
    }
    chunk->host = pages;
    device->memory->reserved += size;
    *out = chunk;
    return VK_SUCCESS;
}

// An image's memory has a number, because nothing accesses it by an address.
VkResult vk_chunk_adopt(struct vk_device *device, VkBuffer handle, VkDeviceMemory memory,
                        VkDeviceSize size, struct vk_chunk **out)
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
    chunk->address = handle ? chunk_address(device, chunk) : next_number(device->memory, size);
    device->memory->reserved += size;
    *out = chunk;
    return VK_SUCCESS;
}
