// SPDX-License-Identifier: Apache-2.0
// Heaps as counters. See heap.h.
#include "vulkan/heap.h"

#include "util/host_memory.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/device.h"

#define GIB (UINT64_C(1) << 30)

enum { LEASE_NS = 100000000, LEASE_SHARE = 4, MARGIN_SHARE = 16 };

static struct vk_heap *heap_of(const struct vk_device *device, struct vk_heap *heaps, int type)
{
    return &heaps[device->facts->memory.memoryTypes[type].heapIndex];
}

static VkDeviceSize smaller(VkDeviceSize a, VkDeviceSize b)
{
    return a < b ? a : b;
}

static VkDeviceSize without(VkDeviceSize all, VkDeviceSize part)
{
    return all > part ? all - part : 0;
}

static bool on_cpu(const struct vk_facts *facts)
{
    return facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// Memory that was allocated but not yet written still counts as free in the system. A margin is
// left for other programs, which would be killed otherwise.
static VkDeviceSize left_in_machine(const struct vk_heap *heap)
{
    struct host_memory memory;
    if (!host_memory_read("", &memory))
        return UINT64_MAX;
    VkDeviceSize promised = without(heap->allocated, memory.shared);
    VkDeviceSize margin = smaller(memory.total / MARGIN_SHARE, GIB);
    return without(without(memory.free, promised), margin);
}

static VkDeviceSize left_in_budget(const struct vk_device *device, uint32_t index)
{
    VkDeviceSize budget, usage;
    if (!vk_physical_budget(device->physical, index, &budget, &usage))
        return UINT64_MAX;
    return without(budget, usage);
}

static VkDeviceSize query_left(const struct vk_device *device, const struct vk_heap *heap,
                               uint32_t index)
{
    VkDeviceSize left = left_in_budget(device, index);
    return on_cpu(device->facts) ? smaller(left, left_in_machine(heap)) : left;
}

// The total size of the heap.
static VkDeviceSize heap_size(const struct vk_facts *facts, uint32_t index)
{
    VkDeviceSize size = facts->memory.memoryHeaps[index].size;
    return on_cpu(facts) ? smaller(size, facts->device_memory) : size;
}

bool vk_heap_take(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size)
{
    struct vk_heap *heap = heap_of(device, heaps, type);
    uint32_t index = (uint32_t)(heap - heaps);
    uint64_t now = thread_now_ns();
    VkDeviceSize left = without(heap_size(device->facts, index), heap->allocated);
    bool leased = size <= heap->lease && now - heap->queried_ns < LEASE_NS;
    if (size <= left && !leased) {
        left = smaller(left, query_left(device, heap, index));
        heap->lease = left / LEASE_SHARE;
        heap->queried_ns = now;
    }
    if (size > left) {
        log_write(LOG_MEM,
                  "cannot allocate %llu bytes from heap %u: %llu are free, this process uses %llu",
                  (unsigned long long)size, index, (unsigned long long)left,
                  (unsigned long long)heap->allocated);
        heap->lease = 0;
        return false;
    }
    heap->lease = without(heap->lease, size);
    heap->allocated += size;
    return true;
}

void vk_heap_give(const struct vk_device *device, struct vk_heap *heaps, int type,
                  VkDeviceSize size)
{
    heap_of(device, heaps, type)->allocated -= size;
}
