// SPDX-License-Identifier: Apache-2.0
// Simulates the memory types of a description with one of the driver's.
//
// Memory that is not visible to the host must not be mapped. Memory that is not coherent is mapped
// as a copy full of POISON: the device sees what was flushed, the host what was invalidated, and
// nothing else. All memory is filled with POISON at first (up to POISON_MOST bytes), because a real
// device's memory is not zero either.
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { POISON = 0xA5, POISON_MOST = 16 << 20 };

static _Atomic VkDeviceSize used[VK_MAX_MEMORY_HEAPS];

VkDeviceSize memory_used(uint32_t heap)
{
    return atomic_load(&used[heap]);
}

static VkMemoryPropertyFlags flags_of(uint32_t type)
{
    return described()->memory.memoryTypes[type].propertyFlags;
}

// The types that a driver may report for a buffer or an image; it may include protected memory,
// which must not be used for unprotected resources.
static uint32_t all_types(void)
{
    const VkMemoryPropertyFlags never = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                        VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    uint32_t types = 0;
    for (uint32_t i = 0; i < described()->memory.memoryTypeCount; i++)
        types |= flags_of(i) & never ? 0 : 1u << i;
    return types;
}

// ---- allocating and freeing ---------------------------------------------------------------------

static const void *find_struct(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static void check_allocation(struct open_device *device, const VkMemoryAllocateInfo *info)
{
    const VkMemoryAllocateFlagsInfo *flags =
        find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    if (info->memoryTypeIndex >= described()->memory.memoryTypeCount)
        complain("memory of type %u is wanted", info->memoryTypeIndex);
    VkMemoryPropertyFlags has = flags_of(info->memoryTypeIndex);
    if (has & VK_MEMORY_PROPERTY_PROTECTED_BIT)
        complain("protected memory is wanted");
    if (has & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)
        complain("memory is wanted that is taken lazily, for attachments alone");
    if (has & VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD)
        complain("coherent memory of AMD's is wanted without deviceCoherentMemory");
    if (info->allocationSize > device->props11.maxMemoryAllocationSize)
        complain("%llu bytes are wanted at once: maxMemoryAllocationSize is %llu",
                 (unsigned long long)info->allocationSize,
                 (unsigned long long)device->props11.maxMemoryAllocationSize);
    if (flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT &&
        !feature_on(device, "bufferDeviceAddress"))
        complain("memory with addresses is wanted without bufferDeviceAddress");
    if (atomic_fetch_add(&device->allocations, 1) >= device->limits.maxMemoryAllocationCount)
        complain("more allocations than maxMemoryAllocationCount");
}

static void poison(VkDevice device, VkDeviceMemory memory, VkDeviceSize size)
{
    void *at;
    if (size > POISON_MOST ||
        NEXT_OF(device, MapMemory)(device, memory, 0, VK_WHOLE_SIZE, 0, &at) != VK_SUCCESS ||
        at == MAP_FAILED)
        return;
    memset(at, POISON, size);
    NEXT_OF(device, UnmapMemory)(device, memory);
}

static VkResult VKAPI_CALL layer_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *own,
                                                VkDeviceMemory *out)
{
    struct open_device *open = device_of(device);
    VkMemoryAllocateInfo real = *info;
    check_allocation(open, info);
    uint32_t heap = described()->memory.memoryTypes[info->memoryTypeIndex].heapIndex;
    VkDeviceSize size = info->allocationSize;
    real.memoryTypeIndex = open->real_type;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (atomic_fetch_add(&used[heap], size) + size <= described()->memory.memoryHeaps[heap].size)
        result = NEXT_OF(device, AllocateMemory)(device, &real, own, out);
    if (result != VK_SUCCESS) {
        atomic_fetch_sub(&used[heap], size);
        atomic_fetch_sub(&open->allocations, 1);
        return result;
    }
    struct thing *thing = thing_add(THING_MEMORY, (uint64_t)*out);
    thing->size = size;
    thing->type = info->memoryTypeIndex;
    thing->heap = heap;
    thing->imported =
        find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    if (!thing->imported)
        poison(device, *out, size);
    return result;
}

static void drop_shadow(struct thing *thing)
{
    if (thing->shadow)
        munmap(thing->shadow, thing->size);
    thing->shadow = thing->real = NULL;
}

static void VKAPI_CALL layer_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                        const VkAllocationCallbacks *own)
{
    if (memory) {
        struct thing *thing = thing_find(THING_MEMORY, (uint64_t)memory);
        drop_shadow(thing);
        atomic_fetch_sub(&used[thing->heap], thing->size);
        atomic_fetch_sub(&device_of(device)->allocations, 1);
        thing_drop(THING_MEMORY, (uint64_t)memory);
    }
    NEXT_OF(device, FreeMemory)(device, memory, own);
}

// ---- mapping ------------------------------------------------------------------------------------

static VkResult give_shadow(struct thing *thing, void *real, void **out)
{
    void *shadow = mmap(NULL, thing->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                        0);
    if (shadow == MAP_FAILED)
        return VK_ERROR_MEMORY_MAP_FAILED;
    memset(shadow, POISON, thing->size);
    thing->shadow = shadow;
    thing->real = real;
    *out = shadow;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL layer_MapMemory(VkDevice device, VkDeviceMemory memory,
                                           VkDeviceSize offset, VkDeviceSize size,
                                           VkMemoryMapFlags flags, void **out)
{
    struct thing *thing = thing_find(THING_MEMORY, (uint64_t)memory);
    VkMemoryPropertyFlags has = flags_of(thing->type);
    if (!(has & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
        complain("memory of type %u is mapped, which the host does not see", thing->type);
    if (thing->mapped)
        complain("memory is mapped that is mapped already");
    if (has & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT || thing->imported) {
        VkResult result = NEXT_OF(device, MapMemory)(device, memory, offset, size, flags, out);
        thing->mapped = result == VK_SUCCESS;
        return result;
    }
    void *real;
    VkResult result = NEXT_OF(device, MapMemory)(device, memory, 0, VK_WHOLE_SIZE, flags, &real);
    if (result == VK_SUCCESS)
        result = real == MAP_FAILED ? VK_ERROR_MEMORY_MAP_FAILED : give_shadow(thing, real, out);
    if (result != VK_SUCCESS)
        return result;
    thing->mapped = true;
    *out = (uint8_t *)*out + offset;
    return VK_SUCCESS;
}

static void VKAPI_CALL layer_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
    struct thing *thing = thing_find(THING_MEMORY, (uint64_t)memory);
    if (!thing->mapped)
        complain("memory is unmapped that is not mapped");
    thing->mapped = false;
    drop_shadow(thing);
    NEXT_OF(device, UnmapMemory)(device, memory);
}

static VkResult VKAPI_CALL layer_MapMemory2KHR(VkDevice device, const VkMemoryMapInfoKHR *info,
                                               void **out)
{
    struct thing *thing = thing_find(THING_MEMORY, (uint64_t)info->memory);
    if (!(flags_of(thing->type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
        complain("memory of type %u is mapped, which the host does not see", thing->type);
    if (!(flags_of(thing->type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
        complain("memory that is not coherent is mapped by vkMapMemory2, which the layer lacks");
    VkResult result =
        ((PFN_vkMapMemory2KHR)(void *)device_of(device)->get(device, "vkMapMemory2KHR"))(device, info,
                                                                                          out);
    thing->mapped = result == VK_SUCCESS;
    return result;
}

// A range of mapped memory, extended to whole atoms.
static struct thing *range_of(VkDevice device, const VkMappedMemoryRange *range, VkDeviceSize *size)
{
    struct thing *thing = thing_find(THING_MEMORY, (uint64_t)range->memory);
    VkDeviceSize atom = device_of(device)->limits.nonCoherentAtomSize;
    if (!thing->mapped)
        complain("memory is flushed or invalidated that is not mapped");
    *size = range->size == VK_WHOLE_SIZE ? thing->size - range->offset : range->size;
    if (range->offset % atom || range->offset + *size > thing->size ||
        (*size % atom && range->offset + *size != thing->size))
        complain("a range of %llu bytes from %llu is flushed or invalidated: nonCoherentAtomSize is "
                 "%llu, the memory has %llu",
                 (unsigned long long)*size, (unsigned long long)range->offset,
                 (unsigned long long)atom, (unsigned long long)thing->size);
    return thing;
}

static VkResult VKAPI_CALL layer_FlushMappedMemoryRanges(VkDevice device, uint32_t count,
                                                         const VkMappedMemoryRange *ranges)
{
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize size, offset = ranges[i].offset;
        struct thing *thing = range_of(device, &ranges[i], &size);
        if (thing->shadow)
            memcpy(thing->real + offset, thing->shadow + offset, size);
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL layer_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count,
                                                              const VkMappedMemoryRange *ranges)
{
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize size, offset = ranges[i].offset;
        struct thing *thing = range_of(device, &ranges[i], &size);
        if (thing->shadow)
            memcpy(thing->shadow + offset, thing->real + offset, size);
    }
    return VK_SUCCESS;
}

// ---- requirements -------------------------------------------------------------------------------

static VkDeviceSize larger(VkDeviceSize a, VkDeviceSize b)
{
    return a > b ? a : b;
}

// A device that requires aligned offsets requires aligned buffers.
static void tell_buffer(VkDevice device, VkMemoryRequirements *out)
{
    const VkPhysicalDeviceLimits *limits = &device_of(device)->limits;
    out->memoryTypeBits = all_types();
    out->alignment = larger(out->alignment, limits->minStorageBufferOffsetAlignment);
    out->alignment = larger(out->alignment, limits->minTexelBufferOffsetAlignment);
    out->size = (out->size + out->alignment - 1) / out->alignment * out->alignment;
}

static void VKAPI_CALL layer_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                         VkMemoryRequirements *out)
{
    NEXT_OF(device, GetBufferMemoryRequirements)(device, buffer, out);
    tell_buffer(device, out);
}

static void VKAPI_CALL layer_GetBufferMemoryRequirements2(VkDevice device,
                                                          const VkBufferMemoryRequirementsInfo2 *info,
                                                          VkMemoryRequirements2 *out)
{
    NEXT_OF(device, GetBufferMemoryRequirements2)(device, info, out);
    tell_buffer(device, &out->memoryRequirements);
}

static void VKAPI_CALL layer_GetDeviceBufferMemoryRequirements(
    VkDevice device, const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out)
{
    NEXT_OF(device, GetDeviceBufferMemoryRequirements)(device, info, out);
    tell_buffer(device, &out->memoryRequirements);
}

static void VKAPI_CALL layer_GetImageMemoryRequirements(VkDevice device, VkImage image,
                                                        VkMemoryRequirements *out)
{
    NEXT_OF(device, GetImageMemoryRequirements)(device, image, out);
    out->memoryTypeBits = all_types();
}

static void VKAPI_CALL layer_GetImageMemoryRequirements2(VkDevice device,
                                                         const VkImageMemoryRequirementsInfo2 *info,
                                                         VkMemoryRequirements2 *out)
{
    NEXT_OF(device, GetImageMemoryRequirements2)(device, info, out);
    out->memoryRequirements.memoryTypeBits = all_types();
}

static VkResult VKAPI_CALL
layer_GetMemoryHostPointerPropertiesEXT(VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
                                        const void *pointer, VkMemoryHostPointerPropertiesEXT *out)
{
    VkResult result =
        NEXT_OF(device, GetMemoryHostPointerPropertiesEXT)(device, type, pointer, out);
    out->memoryTypeBits = 0;
    for (uint32_t i = 0; i < described()->memory.memoryTypeCount; i++)
        if (flags_of(i) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT &&
            !(flags_of(i) & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT &&
              described()->type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU))
            out->memoryTypeBits |= 1u << i;
    return result;
}

static const struct row rows[] = {
    ROW(AllocateMemory) ROW(FreeMemory) ROW(MapMemory) ROW(UnmapMemory) ROW(MapMemory2KHR)
        ROW(FlushMappedMemoryRanges) ROW(InvalidateMappedMemoryRanges)
            ROW(GetBufferMemoryRequirements) ROW(GetBufferMemoryRequirements2)
                ROW(GetDeviceBufferMemoryRequirements) ROW(GetImageMemoryRequirements)
                    ROW(GetImageMemoryRequirements2)
                        ROW(GetMemoryHostPointerPropertiesEXT){NULL, NULL},
};

PFN_vkVoidFunction memory_function(const char *name)
{
    return row_find(rows, name);
}
