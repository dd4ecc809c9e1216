// SPDX-License-Identifier: Apache-2.0
// Command buffers, submissions and timelines.
//
// A timeline has a value that only grows; each submission of a command queue signals the next.
// Others wait for (timeline, value) pairs, on the device or on the host. A timeline must outlive
// every submission that waits for it, whoever's that is: it serves one queue after the other and
// goes with its device. It is a timeline semaphore where the device has them. Elsewhere each
// submission has a fence (fences.h), and all queues share one VkQueue: there, what was submitted
// before comes before, so that waiting on the device is a barrier, which every batch begins with.
#ifndef PUMICE_VULKAN_SUBMIT_H
#define PUMICE_VULKAN_SUBMIT_H

#include "vulkan/device.h"
#include "vulkan/fences.h"

struct vk_timeline {
    struct vk_timeline *next; // among the device's idle ones
    struct vk_device *device;
    VkSemaphore handle;       // none where it is made of fences
    uint64_t value;           // that it begins at
    struct vk_fences fences;
};

struct vk_wait {
    struct vk_timeline *timeline;
    uint64_t value;
};

enum { VK_WAIT_MAX = 64, VK_BINARY_MAX = 32 };

// Semaphores without values, which are another API's too: at most VK_BINARY_MAX of each.
struct vk_binaries {
    VkSemaphore before[VK_BINARY_MAX], after[VK_BINARY_MAX];
    uint32_t before_count, after_count;
};

VkResult vk_timeline_create(struct vk_device *device, struct vk_timeline **timeline);
// `value`: the last that was signalled, and is.
void vk_timeline_release(struct vk_device *device, struct vk_timeline *timeline, uint64_t value);
void vk_timelines_destroy(struct vk_device *device); // of a device that goes
VkResult vk_timeline_value(struct vk_device *device, struct vk_timeline *timeline,
                           uint64_t *value);
// VK_TIMEOUT when `ns` pass before the value is reached.
VkResult vk_timeline_wait(struct vk_device *device, struct vk_timeline *timeline, uint64_t value,
                          uint64_t ns);

// Runs `commands` on `queue` after all `waits`, then signals `timeline` with `value`. Calls the
// driver under the queue's own lock. `binaries`: NULL, or what is waited for and signalled besides.
VkResult vk_submit(struct vk_device *device, struct vk_queue *queue, VkCommandBuffer commands,
                   const struct vk_wait *waits, uint32_t wait_count,
                   const struct vk_binaries *binaries, struct vk_timeline *timeline,
                   uint64_t value);

// Binds memory to what `info` names, and waits for that.
VkResult vk_bind_sparse(struct vk_device *device, VkBindSparseInfo *info);

// Picks the VkQueue that a new command queue goes to: round robin over the family's.
struct vk_queue *vk_queue_pick(struct vk_device *device);

VkResult vk_pool_create(struct vk_device *device, VkCommandPool *pool);
VkResult vk_commands_create(struct vk_device *device, VkCommandPool pool,
                            VkCommandBuffer *commands);
VkResult vk_commands_begin(struct vk_device *device, VkCommandBuffer commands);
VkResult vk_commands_end(struct vk_device *device, VkCommandBuffer commands);

// A barrier as VK_KHR_synchronization2 has it; its stages and accesses are such that Vulkan 1.0 has
// too, the same for all of its barriers.
void vk_commands_depend(struct vk_device *device, VkCommandBuffer commands,
                        const VkDependencyInfo *info);
// Everything before (dispatches, transfers, host writes) is done and visible to everything after.
void vk_commands_barrier(struct vk_device *device, VkCommandBuffer commands);
// Everything before is done and visible to the host once the submission is.
void vk_commands_host_barrier(struct vk_device *device, VkCommandBuffer commands);

// The device's clock when all commands before are done.
void vk_commands_stamp(struct vk_device *device, VkCommandBuffer commands, VkQueryPool pool,
                       uint32_t query);

// Device ticks and thread_now_ns() of about the same moment. VK_ERROR_FEATURE_NOT_PRESENT without
// calibrated timestamps.
VkResult vk_calibrate(struct vk_device *device, uint64_t *ticks, uint64_t *host_ns);

#endif
