// SPDX-License-Identifier: Apache-2.0
// Command buffers, submissions and timelines.
//
// A timeline is a semaphore whose value only grows; each submission of a command queue signals the
// next value. Others wait for (timeline, value) pairs, on the device or on the host. A semaphore must
// outlive every submission that waits for it, whoever's that is: it serves one timeline after the
// other and goes with its device.
#ifndef PUMICE_VULKAN_SUBMIT_H
#define PUMICE_VULKAN_SUBMIT_H

#include "vulkan/device.h"

struct vk_timeline {
    struct vk_timeline *next; // among the device's idle ones
    VkSemaphore handle;
    uint64_t value; // that it begins at
};

struct vk_wait {
    VkSemaphore semaphore;
    uint64_t value;
};

enum { VK_WAIT_MAX = 64 };

VkResult vk_timeline_create(struct vk_device *device, struct vk_timeline **timeline);
// `value`: the last that was signalled, and is.
void vk_timeline_release(struct vk_device *device, struct vk_timeline *timeline, uint64_t value);
void vk_timelines_destroy(struct vk_device *device); // of a device that goes
VkResult vk_timeline_value(struct vk_device *device, const struct vk_timeline *timeline,
                           uint64_t *value);
// VK_TIMEOUT when `ns` pass before the value is reached.
VkResult vk_timeline_wait(struct vk_device *device, const struct vk_timeline *timeline,
                          uint64_t value, uint64_t ns);

// Runs `commands` on `queue` after all `waits`, then signals `timeline` with `value`. Calls the
// driver under the queue's own lock.
VkResult vk_submit(struct vk_device *device, struct vk_queue *queue, VkCommandBuffer commands,
                   const struct vk_wait *waits, uint32_t wait_count,
                   const struct vk_timeline *timeline, uint64_t value);

// Picks the VkQueue that a new command queue goes to: round robin over the family's.
struct vk_queue *vk_queue_pick(struct vk_device *device);

VkResult vk_pool_create(struct vk_device *device, VkCommandPool *pool);
VkResult vk_commands_create(struct vk_device *device, VkCommandPool pool,
                            VkCommandBuffer *commands);
VkResult vk_commands_begin(struct vk_device *device, VkCommandBuffer commands);
VkResult vk_commands_end(struct vk_device *device, VkCommandBuffer commands);

// Everything before (dispatches, transfers, host writes) is done and visible to everything after.
void vk_commands_barrier(struct vk_device *device, VkCommandBuffer commands);
// Everything before is done and visible to the host once the submission is.
void vk_commands_host_barrier(struct vk_device *device, VkCommandBuffer commands);

// Device ticks and thread_now_ns() of about the same moment. VK_ERROR_FEATURE_NOT_PRESENT without
// calibrated timestamps.
VkResult vk_calibrate(struct vk_device *device, uint64_t *ticks, uint64_t *host_ns);

#endif
