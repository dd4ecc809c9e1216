// SPDX-License-Identifier: Apache-2.0
// Timelines for devices without timeline semaphores: each submission has a fence.
//
// Fences of one VkQueue are signalled in the order of their submissions, so the value of a timeline
// is that of its last fence that is. They are the device's, used again and again. Safe from several
// threads: one may wait for a fence while another finds it signalled.
#ifndef PUMICE_VULKAN_FENCES_H
#define PUMICE_VULKAN_FENCES_H


#include "platform/platform.h"
#include "vulkan/vk.h"

struct vk_fence {
    struct vk_fence *next; // in its timeline, or among the device's idle ones
    VkFence handle;
    uint64_t value;
    uint32_t waiters; // threads that have the handle, without the lock
    bool reached;     // out of its timeline: the last of them gives it back
};

// Of one timeline.
struct vk_fences {
    pthread_mutex_t lock;
    struct vk_fence *first, *last; // sent, and not yet seen to be signalled
    uint64_t reached;
};

void vk_fences_init(struct vk_fences *fences);
void vk_fences_finish(struct vk_device *device, struct vk_fences *fences);
void vk_fences_destroy(struct vk_device *device); // the idle ones of a device that goes

// A fence that is not signalled; then what became of it: `sent` with a submission that reaches
// `value`, or not.
VkResult vk_fence_take(struct vk_device *device, struct vk_fence **fence);
void vk_fence_sent(struct vk_device *device, struct vk_fences *fences, struct vk_fence *fence,
                   uint64_t value, bool sent);

VkResult vk_fences_value(struct vk_device *device, struct vk_fences *fences, uint64_t *value);
// VK_TIMEOUT when `ns` pass before the value is reached, which must have been sent.
VkResult vk_fences_wait(struct vk_device *device, struct vk_fences *fences, uint64_t value,
                        uint64_t ns);

#endif
