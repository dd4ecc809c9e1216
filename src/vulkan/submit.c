// SPDX-License-Identifier: Apache-2.0
// Command buffers, submissions and timelines: thin, so that the command layer says what and this
// says how.
#include "vulkan/submit.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/gate.h"
#include "util/thread.h"

enum { SLICE_NS = 100000000, LOOK_NS = 200000 };
#define BLIND_NS UINT64_C(10000000000) // a device that tells nothing for so long is lost

static VkResult make_timeline(struct vk_device *device, struct vk_timeline **out)
{
    VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    struct vk_timeline *timeline = calloc(1, sizeof *timeline);
    if (!timeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = device->fn.CreateSemaphore(device->handle, &info, NULL, &timeline->handle);
    if (result == VK_SUCCESS)
        *out = timeline;
    else
        free(timeline);
    return vk_device_note(device, result, "creating a timeline");
}

VkResult vk_timeline_create(struct vk_device *device, struct vk_timeline **out)
{
    pthread_mutex_lock(&device->lock);
    struct vk_timeline *idle = device->idle_timelines;
    if (idle)
        device->idle_timelines = idle->next;
    pthread_mutex_unlock(&device->lock);
    *out = idle;
    return idle ? VK_SUCCESS : make_timeline(device, out);
}

void vk_timeline_release(struct vk_device *device, struct vk_timeline *timeline, uint64_t value)
{
    timeline->value = value;
    pthread_mutex_lock(&device->lock);
    timeline->next = device->idle_timelines;
    device->idle_timelines = timeline;
    pthread_mutex_unlock(&device->lock);
}

void vk_timelines_destroy(struct vk_device *device)
{
    while (device->idle_timelines) {
        struct vk_timeline *timeline = device->idle_timelines;
        device->idle_timelines = timeline->next;
        device->fn.DestroySemaphore(device->handle, timeline->handle, NULL);
        free(timeline);
    }
}

// A driver may lack the memory to answer for a while; one that never does would be asked for good.
static VkResult read_value(struct vk_device *device, const struct vk_timeline *timeline,
                           uint64_t *value)
{
    uint64_t since = 0, now;
    VkResult result =
        device->fn.GetSemaphoreCounterValue(device->handle, timeline->handle, value);
    if (result == VK_SUCCESS) {
        if (atomic_load_explicit(&device->blind_since, memory_order_relaxed))
            atomic_store(&device->blind_since, 0);
        return result;
    }
    now = thread_now_ns();
    if (atomic_compare_exchange_strong(&device->blind_since, &since, now) || now < since + BLIND_NS)
        return result;
    return VK_ERROR_DEVICE_LOST;
}

VkResult vk_timeline_value(struct vk_device *device, const struct vk_timeline *timeline,
                           uint64_t *value)
{
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    result = read_value(device, timeline, value);
    return vk_device_note(device, result, "reading a timeline");
}

static VkResult wait(struct vk_device *device, const struct vk_timeline *timeline, uint64_t value,
                     uint64_t ns)
{
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline->handle,
        .pValues = &value,
    };
    return device->fn.WaitSemaphores(device->handle, &info, ns);
}

// What a wait becomes that the driver has no memory for: who gave it up would free what the device
// still works on.
static VkResult look(struct vk_device *device, const struct vk_timeline *timeline, uint64_t value,
                     uint64_t *ns)
{
    uint64_t at = 0, pause = *ns < LOOK_NS ? *ns : LOOK_NS;
    usleep((useconds_t)(pause / 1000));
    *ns -= *ns == UINT64_MAX ? 0 : pause;
    VkResult result = read_value(device, timeline, &at);
    return result == VK_ERROR_DEVICE_LOST ? result : at >= value ? VK_SUCCESS : VK_TIMEOUT;
}

static VkResult wait_slice(struct vk_device *device, const struct vk_timeline *timeline,
                           uint64_t value, uint64_t *ns)
{
    uint64_t slice = *ns < SLICE_NS ? *ns : SLICE_NS;
    VkResult result = wait(device, timeline, value, slice);
    if (result < 0 && result != VK_ERROR_DEVICE_LOST)
        return look(device, timeline, value, ns);
    *ns -= *ns == UINT64_MAX ? 0 : slice;
    return result;
}

// In slices: a call that waits for long leaves the driver when the process ends.
VkResult vk_timeline_wait(struct vk_device *device, const struct vk_timeline *timeline,
                          uint64_t value, uint64_t ns)
{
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    do {
        result = wait_slice(device, timeline, value, &ns);
        gate_give_up();
    } while (result == VK_TIMEOUT && ns);
    return vk_device_note(device, result, "waiting for a timeline");
}

VkResult vk_submit(struct vk_device *device, struct vk_queue *queue, VkCommandBuffer commands,
                   const struct vk_wait *waits, uint32_t wait_count,
                   const struct vk_timeline *timeline, uint64_t value)
{
    VkSemaphoreSubmitInfo before[VK_WAIT_MAX];
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < wait_count; i++)
        before[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = waits[i].semaphore,
            .value = waits[i].value,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        };
    VkSemaphoreSubmitInfo after = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = timeline->handle,
        .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = commands,
    };
    VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_count,
        .pWaitSemaphoreInfos = before,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &after,
    };
    pthread_mutex_lock(&queue->lock);
    result = device->fn.QueueSubmit2(queue->handle, 1, &info, VK_NULL_HANDLE);
    pthread_mutex_unlock(&queue->lock);
    return vk_device_note(device, result, "submitting");
}

struct vk_queue *vk_queue_pick(struct vk_device *device)
{
    return &device->queues[atomic_fetch_add(&device->next_queue, 1) % device->queue_count];
}

VkResult vk_pool_create(struct vk_device *device, VkCommandPool *pool)
{
    VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->facts->queue_family,
    };
    return vk_device_note(device, device->fn.CreateCommandPool(device->handle, &info, NULL, pool),
                          "creating a command pool");
}

VkResult vk_commands_create(struct vk_device *device, VkCommandPool pool, VkCommandBuffer *commands)
{
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return vk_device_note(device,
                          device->fn.AllocateCommandBuffers(device->handle, &info, commands),
                          "allocating a command buffer");
}

VkResult vk_commands_begin(struct vk_device *device, VkCommandBuffer commands)
{
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.BeginCommandBuffer(commands, &info);
    return vk_device_note(device, result, "beginning a command buffer");
}

VkResult vk_commands_end(struct vk_device *device, VkCommandBuffer commands)
{
    return vk_device_note(device, device->fn.EndCommandBuffer(commands), "ending a command buffer");
}

static void memory_barrier(struct vk_device *device, VkCommandBuffer commands,
                           VkPipelineStageFlags2 stages, VkAccessFlags2 access)
{
    VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask =
            VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = stages,
        .dstAccessMask = access,
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    device->fn.CmdPipelineBarrier2(commands, &info);
}

void vk_commands_barrier(struct vk_device *device, VkCommandBuffer commands)
{
    memory_barrier(device, commands,
                   VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                   VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                       VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT);
}

void vk_commands_host_barrier(struct vk_device *device, VkCommandBuffer commands)
{
    memory_barrier(device, commands,
                   VK_PIPELINE_STAGE_2_HOST_BIT,
                   VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT);
}

VkResult vk_calibrate(struct vk_device *device, uint64_t *ticks, uint64_t *host_ns)
{
    VkCalibratedTimestampInfoEXT info[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
    };
    uint64_t stamps[2], deviation;
    if (!device->facts->features.calibrated_timestamps || !device->fn.GetCalibratedTimestampsEXT)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.GetCalibratedTimestampsEXT(device->handle, 2, info, stamps, &deviation);
    *ticks = stamps[0];
    *host_ns = stamps[1];
    return vk_device_note(device, result, "calibrating timestamps");
}
