// SPDX-License-Identifier: Apache-2.0
// Timelines emulated with fences. See fences.h.
#include "vulkan/fences.h"

#include <stdlib.h>

#include "vulkan/device.h"

void vk_fences_init(struct vk_fences *fences)
{
    pthread_mutex_init(&fences->lock, NULL);
}

// ---- the device's idle fences -------------------------------------------------------------------

static void destroy(struct vk_device *device, struct vk_fence *fence)
{
    device->fn.DestroyFence(device->handle, fence->handle, NULL);
    free(fence);
}

static void destroy_list(struct vk_device *device, struct vk_fence *first)
{
    while (first) {
        struct vk_fence *fence = first;
        first = fence->next;
        destroy(device, fence);
    }
}

void vk_fences_destroy(struct vk_device *device)
{
    destroy_list(device, device->idle_fences);
    device->idle_fences = NULL;
}

void vk_fences_finish(struct vk_device *device, struct vk_fences *fences)
{
    destroy_list(device, fences->first);
    pthread_mutex_destroy(&fences->lock);
}

static void make_idle(struct vk_device *device, struct vk_fence *fence)
{
    pthread_mutex_lock(&device->lock);
    fence->next = device->idle_fences;
    device->idle_fences = fence;
    pthread_mutex_unlock(&device->lock);
}

// Only the caller still has a reference to the fence.
static void give_back(struct vk_device *device, struct vk_fence *fence)
{
    if (device->fn.ResetFences(device->handle, 1, &fence->handle) == VK_SUCCESS)
        make_idle(device, fence);
    else
        destroy(device, fence);
}

static VkResult make(struct vk_device *device, struct vk_fence **out)
{
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    struct vk_fence *fence = calloc(1, sizeof *fence);
    if (!fence)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = device->fn.CreateFence(device->handle, &info, NULL, &fence->handle);
    if (result == VK_SUCCESS)
        *out = fence;
    else
        free(fence);
    return result;
}

VkResult vk_fence_take(struct vk_device *device, struct vk_fence **out)
{
    pthread_mutex_lock(&device->lock);
    struct vk_fence *idle = device->idle_fences;
    if (idle)
        device->idle_fences = idle->next;
    pthread_mutex_unlock(&device->lock);
    *out = idle;
    return idle ? VK_SUCCESS : make(device, out);
}

// ---- of a timeline ------------------------------------------------------------------------------

void vk_fence_sent(struct vk_device *device, struct vk_fences *fences, struct vk_fence *fence,
                   uint64_t value, bool sent)
{
    if (!sent) { // the fence is unchanged
        make_idle(device, fence);
        return;
    }
    fence->next = NULL;
    fence->value = value;
    fence->reached = false;
    pthread_mutex_lock(&fences->lock);
    if (fences->first)
        fences->last->next = fence;
    else
        fences->first = fence;
    fences->last = fence;
    pthread_mutex_unlock(&fences->lock);
}

// Removes the signalled fences. Under the lock.
static VkResult advance(struct vk_device *device, struct vk_fences *fences)
{
    while (fences->first) {
        struct vk_fence *fence = fences->first;
        VkResult result = device->fn.GetFenceStatus(device->handle, fence->handle);
        if (result != VK_SUCCESS)
            return result == VK_NOT_READY ? VK_SUCCESS : result;
        fences->first = fence->next;
        fences->reached = fence->value;
        fence->reached = true;
        if (!fence->waiters)
            give_back(device, fence);
    }
    return VK_SUCCESS;
}

VkResult vk_fences_value(struct vk_device *device, struct vk_fences *fences, uint64_t *value)
{
    pthread_mutex_lock(&fences->lock);
    VkResult result = advance(device, fences);
    *value = fences->reached;
    pthread_mutex_unlock(&fences->lock);
    return result;
}

VkResult vk_fences_wait(struct vk_device *device, struct vk_fences *fences, uint64_t value,
                        uint64_t ns)
{
    pthread_mutex_lock(&fences->lock);
    struct vk_fence *fence = fences->first;
    while (fence && fence->value < value)
        fence = fence->next;
    if (fence)
        fence->waiters++;
    pthread_mutex_unlock(&fences->lock);
    if (!fence)
        return VK_SUCCESS;
    VkResult result = device->fn.WaitForFences(device->handle, 1, &fence->handle, VK_TRUE, ns);
    pthread_mutex_lock(&fences->lock);
    bool last = !--fence->waiters && fence->reached;
    pthread_mutex_unlock(&fences->lock);
    if (last)
        give_back(device, fence);
    return result;
}
