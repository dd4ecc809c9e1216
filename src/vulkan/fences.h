// SPDX-License-Identifier: Apache-2.0
// Timelines for devices without timeline semaphores: each submission has a fence.
//
// Fences of one VkQueue are signalled in submission order, so a timeline's value is that of its
// last signalled fence. Fences belong to the device and are reused. Thread-safe: one thread may
// wait for a fence while another finds it signalled.
#ifndef PUMICE_VULKAN_FENCES_H
#define PUMICE_VULKAN_FENCES_H


#include "platform/platform.h"
#include "vulkan/vk.h"

struct vk_fence {
    struct vk_fence *next; // in its timeline, or in the device's list of idle ones
    VkFence handle;
    uint64_t value;
    uint32_t waiters; // threads that use the handle without the lock
    bool reached;     // removed from its timeline; the last waiter returns it
};

// State of one timeline.
struct vk_fences {
    pthread_mutex_t lock;
    struct vk_fence *first, *last; // submitted, and not known to be signalled
    uint64_t reached;
};

void vk_fences_init(struct vk_fences *fences);
void vk_fences_finish(struct vk_device *device, struct vk_fences *fences);
void vk_fences_destroy(struct vk_device *device); // idle ones of a device that is being destroyed

// Gets an unsignalled fence. vk_fence_sent() then says whether it was submitted (`sent`), with a
// submission that reaches `value`.
VkResult vk_fence_take(struct vk_device *device, struct vk_fence **fence);
void vk_fence_sent(struct vk_device *device, struct vk_fences *fences, struct vk_fence *fence,
                   uint64_t value, bool sent);

VkResult vk_fences_value(struct vk_device *device, struct vk_fences *fences, uint64_t *value);
// VK_TIMEOUT if `ns` pass before the value is reached. The value must have been submitted.
VkResult vk_fences_wait(struct vk_device *device, struct vk_fences *fences, uint64_t value,
                        uint64_t ns);

#endif
