// SPDX-License-Identifier: Apache-2.0
// Command buffers, submissions and timelines.
//
// A timeline has a value that only grows; each submission of a command queue signals the next
// value. Others wait for (timeline, value) pairs, on the device or on the host. A timeline must
// outlive every submission that waits for it, on any queue; so it is reused by other queues and
// destroyed with its device. It is a timeline semaphore if the device supports them. Otherwise each
// submission has a fence (fences.h) and all queues share one VkQueue: submissions run in order
// there, so a device-side wait only needs the barrier with which every batch begins.
#ifndef PUMICE_VULKAN_SUBMIT_H
#define PUMICE_VULKAN_SUBMIT_H

#include "vulkan/device.h"
#include "vulkan/fences.h"

struct vk_timeline {
    struct vk_timeline *next; // in the device's list of idle ones
    struct vk_device *device;
    VkSemaphore handle;       // none if it is emulated with fences
    uint64_t value;           // initial value
    struct vk_fences fences;
};

struct vk_wait {
    struct vk_timeline *timeline;
    uint64_t value;
};

enum { VK_WAIT_MAX = 64, VK_BINARY_MAX = 32 };

// Binary semaphores, possibly shared with another API: at most VK_BINARY_MAX of each.
struct vk_binaries {
    VkSemaphore before[VK_BINARY_MAX], after[VK_BINARY_MAX];
    uint32_t before_count, after_count;
};

VkResult vk_timeline_create(struct vk_device *device, struct vk_timeline **timeline);
// `value`: the last one that was signalled.
void vk_timeline_release(struct vk_device *device, struct vk_timeline *timeline, uint64_t value);
void vk_timelines_destroy(struct vk_device *device); // of a device that is being destroyed
VkResult vk_timeline_value(struct vk_device *device, struct vk_timeline *timeline,
                           uint64_t *value);
// VK_TIMEOUT if `ns` pass before the value is reached.
VkResult vk_timeline_wait(struct vk_device *device, struct vk_timeline *timeline, uint64_t value,
                          uint64_t ns);

// Waits for at most `ns` until one of several timelines reaches its value; the host may signal
// them, too. If vk_wait_any_sleeps() is false, because the driver spins in such waits, it only
// waits for the first one.
VkResult vk_timeline_wait_any(struct vk_device *device, const struct vk_wait *waits, uint32_t count,
                              uint64_t ns);
bool vk_wait_any_sleeps(const struct vk_device *device);
VkResult vk_timeline_signal(struct vk_device *device, struct vk_timeline *timeline, uint64_t value);

// Runs `commands` on `queue` after all `waits`, then signals `timeline` with `value`. Holds the
// queue's lock during the driver call. `binaries`: additional waits and signals, or NULL.
VkResult vk_submit(struct vk_device *device, struct vk_queue *queue, VkCommandBuffer commands,
                   const struct vk_wait *waits, uint32_t wait_count,
                   const struct vk_binaries *binaries, struct vk_timeline *timeline,
                   uint64_t value);

// Binds memory as `info` describes, and waits for completion.
VkResult vk_bind_sparse(struct vk_device *device, VkBindSparseInfo *info);

// Chooses the VkQueue of a new command queue: round robin over the family's queues.
struct vk_queue *vk_queue_pick(struct vk_device *device);
struct vk_queue *vk_copy_queue_pick(struct vk_device *device); // of the copy family; NULL: none

// Sets how many VkQueues a new device has: as many as earlier processes of this program had command
// queues at the same time, because some drivers take 25 ms to create each one. A program with one command
// queue gets no copy queues: nothing runs beside its copies.
void vk_queues_choose(struct vk_device *device);
void vk_queues_count(struct vk_device *device, bool more); // the application has one command queue more, or less

VkResult vk_pool_create(struct vk_device *device, uint32_t family, VkCommandPool *pool);
VkResult vk_commands_create(struct vk_device *device, VkCommandPool pool,
                            VkCommandBuffer *commands);
VkResult vk_commands_begin(struct vk_device *device, VkCommandBuffer commands);
VkResult vk_commands_end(struct vk_device *device, VkCommandBuffer commands);

// A barrier in the form of VK_KHR_synchronization2. Its stages and accesses must exist in Vulkan
// 1.0 too, and be the same for all of its barriers.
void vk_commands_depend(struct vk_device *device, VkCommandBuffer commands,
                        const VkDependencyInfo *info);
// Everything before (dispatches, transfers, host writes) completes and is visible to everything
// after.
void vk_commands_barrier(struct vk_device *device, VkCommandBuffer commands);
void vk_commands_copy_barrier(struct vk_device *device, VkCommandBuffer commands); // on a copy queue
// Everything before is complete and visible to the host once the submission is complete. `copies`:
// on a copy queue.
void vk_commands_host_barrier(struct vk_device *device, VkCommandBuffer commands, bool copies);

// Writes the device's clock when all commands before are complete.
void vk_commands_stamp(struct vk_device *device, VkCommandBuffer commands, VkQueryPool pool,
                       uint32_t query);

// Device ticks and thread_now_ns() at about the same moment. VK_ERROR_FEATURE_NOT_PRESENT without
// calibrated timestamps.
VkResult vk_calibrate(struct vk_device *device, uint64_t *ticks, uint64_t *host_ns);

#endif
