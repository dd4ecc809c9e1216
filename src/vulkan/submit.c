// SPDX-License-Identifier: Apache-2.0
// Command buffers, submissions and timelines: a thin layer; the command layer decides what to
// submit.
#include "vulkan/submit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/gate.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/recall.h"

enum { SLICE_NS = 100000000, POLL_NS = 200000, SPIN_NS = 150000 };
enum { QUEUES_AT_FIRST = 2 }; // for a program that runs for the first time
// A device whose state is unreadable for so long counts as lost.
#define UNREADABLE_NS UINT64_C(10000000000)
// The time between two empty submissions (see "lost devices"). Of the calls that only read a timeline, one in READS_PER_LOOK
// looks at the clock.
#define ASK_NS UINT64_C(100000000)
enum { READS_PER_LOOK = 64 };

#define COPIES VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
#define KERNELS VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
#define COPY_READS VK_ACCESS_2_TRANSFER_READ_BIT
#define COPY_WRITES VK_ACCESS_2_TRANSFER_WRITE_BIT

static bool has_semaphores(const struct vk_device *device)
{
    return device->facts->features.timeline_semaphore;
}

static void destroy_timeline(struct vk_device *device, struct vk_timeline *timeline)
{
    if (timeline->handle)
        device->fn.DestroySemaphore(device->handle, timeline->handle, NULL);
    vk_fences_finish(device, &timeline->fences);
    free(timeline);
}

static VkResult make_timeline(struct vk_device *device, struct vk_timeline **out)
{
    VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    struct vk_timeline *timeline = calloc(1, sizeof *timeline);
    VkResult result = VK_SUCCESS;
    if (!timeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    timeline->device = device;
    vk_fences_init(&timeline->fences);
    if (has_semaphores(device))
        result = device->fn.CreateSemaphore(device->handle, &info, NULL, &timeline->handle);
    if (result == VK_SUCCESS)
        *out = timeline;
    else
        destroy_timeline(device, timeline);
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
    if (!has_semaphores(device))
        vk_fences_value(device, &timeline->fences, &value);
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
        destroy_timeline(device, timeline);
    }
}

// Timeline semaphores instead of fences if available: on an H200 (580.159), completion is seen 0.5
// to 0.9 us later with a fence (a fence query takes 0.3 us, a timeline query 0.01 us). Both raise
// interrupts (interrupts.h).
static VkResult query_value(struct vk_device *device, struct vk_timeline *timeline, uint64_t *value)
{
    if (!has_semaphores(device))
        return vk_fences_value(device, &timeline->fences, value);
    return device->fn.GetSemaphoreCounterValue(device->handle, timeline->handle, value);
}

// A driver may temporarily lack the memory to answer; the time is limited, because some never
// recover.
static VkResult read_value(struct vk_device *device, struct vk_timeline *timeline,
                           uint64_t *value)
{
    uint64_t since = 0, now;
    VkResult result = query_value(device, timeline, value);
    if (result == VK_SUCCESS) {
        if (atomic_load_explicit(&device->unreadable_since, memory_order_relaxed))
            atomic_store(&device->unreadable_since, 0);
        return result;
    }
    now = thread_now_ns();
    if (atomic_compare_exchange_strong(&device->unreadable_since, &since, now) ||
        now < since + UNREADABLE_NS)
        return result;
    return VK_ERROR_DEVICE_LOST;
}

// ---- lost devices -------------------------------------------------------------------------------
//
// After a kernel's access outside of all memory, NVIDIA's driver (580.159) reports the loss of the device only to calls for the
// queue. Calls for a timeline do not see it, and waits for one would never end. So while something waits, an empty submission
// goes to each used queue ten times a second. From a second after the access on, it fails, and then all other calls do.

// If the queue is locked, another thread submits to it and gets the same answer.
static void ask_queue(struct vk_device *device, struct vk_queue *queue)
{
    if (!atomic_load(&queue->used) || pthread_mutex_trylock(&queue->lock))
        return;
    VkResult result = device->fn.QueueSubmit(queue->handle, 0, NULL, VK_NULL_HANDLE);
    pthread_mutex_unlock(&queue->lock);
    vk_device_note(device, result, "asking a queue");
}

static void ask_queues(struct vk_device *device)
{
    uint64_t now = thread_now_ns(), last = atomic_load_explicit(&device->asked, memory_order_relaxed);
    if (now < last + ASK_NS || !atomic_compare_exchange_strong(&device->asked, &last, now))
        return;
    for (uint32_t i = 0; i < device->queue_count; i++)
        ask_queue(device, &device->queues[i]);
    for (uint32_t i = 0; i < device->copy_queue_count; i++)
        ask_queue(device, &device->copy_queues[i]);
}

// For programs that read a timeline's value again and again without waiting. Reading the clock takes longer than that.
static void ask_queues_at_times(struct vk_device *device)
{
    unsigned reads = atomic_load_explicit(&device->reads, memory_order_relaxed) + 1; // a lost count does no harm
    atomic_store_explicit(&device->reads, reads, memory_order_relaxed);
    if (reads % READS_PER_LOOK == 0)
        ask_queues(device);
}

VkResult vk_timeline_value(struct vk_device *device, struct vk_timeline *timeline,
                           uint64_t *value)
{
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    result = read_value(device, timeline, value);
    ask_queues_at_times(device);
    if (vk_pulse_look(device) != VK_SUCCESS)
        return VK_ERROR_DEVICE_LOST;
    return vk_device_note(device, result, "reading a timeline");
}

static VkResult wait_value(struct vk_device *device, struct vk_timeline *timeline, uint64_t value,
                     uint64_t ns)
{
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &timeline->handle,
        .pValues = &value,
    };
    if (!has_semaphores(device))
        return vk_fences_wait(device, &timeline->fences, value, ns);
    return device->fn.WaitSemaphores(device->handle, &info, ns);
}

// Replaces a wait for which the driver lacks memory: giving up would free memory that the device
// still uses.
static VkResult poll_value(struct vk_device *device, struct vk_timeline *timeline, uint64_t value,
                           uint64_t *ns)
{
    uint64_t at = 0, pause = *ns < POLL_NS ? *ns : POLL_NS;
    thread_sleep_us(pause / 1000);
    *ns -= *ns == UINT64_MAX ? 0 : pause;
    VkResult result = read_value(device, timeline, &at);
    return result == VK_ERROR_DEVICE_LOST ? result : at >= value ? VK_SUCCESS : VK_TIMEOUT;
}

static VkResult wait_slice(struct vk_device *device, struct vk_timeline *timeline,
                           uint64_t value, uint64_t *ns)
{
    uint64_t slice = *ns < SLICE_NS ? *ns : SLICE_NS;
    VkResult result = wait_value(device, timeline, value, slice);
    if (result < 0 && result != VK_ERROR_DEVICE_LOST)
        return poll_value(device, timeline, value, ns);
    *ns -= *ns == UINT64_MAX ? 0 : slice;
    return result;
}

// Waits in slices, so that a long wait leaves the driver when the process ends.
VkResult vk_timeline_wait(struct vk_device *device, struct vk_timeline *timeline,
                          uint64_t value, uint64_t ns)
{
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    do {
        result = wait_slice(device, timeline, value, &ns);
        gate_give_up();
        if (result == VK_TIMEOUT)
            ask_queues(device);
        if (vk_pulse_look(device) != VK_SUCCESS)
            return VK_ERROR_DEVICE_LOST;
        if (result == VK_TIMEOUT && ns) // another call may have found the device lost
            result = vk_device_check(device) == VK_SUCCESS ? VK_TIMEOUT : VK_ERROR_DEVICE_LOST;
    } while (result == VK_TIMEOUT && ns);
    return vk_device_note(device, result, "waiting for a timeline");
}

// ---- several timelines --------------------------------------------------------------------------

bool vk_wait_any_sleeps(const struct vk_device *device)
{
    return has_semaphores(device) &&
           !atomic_load_explicit(&device->wait_any_spins, memory_order_relaxed);
}

static VkResult wait_any(struct vk_device *device, const struct vk_wait *waits, uint32_t count,
                         uint64_t ns)
{
    VkSemaphore semaphores[VK_WAIT_MAX];
    uint64_t values[VK_WAIT_MAX];
    for (uint32_t i = 0; i < count; i++) {
        semaphores[i] = waits[i].timeline->handle;
        values[i] = waits[i].value;
    }
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .flags = VK_SEMAPHORE_WAIT_ANY_BIT,
        .semaphoreCount = count,
        .pSemaphores = semaphores,
        .pValues = values,
    };
    return device->fn.WaitSemaphores(device->handle, &info, ns);
}

// Some drivers spin in a wait for several timelines: Mesa's emulated timelines, for example, are
// polled in turn without a pause. `cpu_ns`: the CPU time of the wait, a few microseconds if it
// sleeps.
static void note_spinning(struct vk_device *device, uint64_t cpu_ns)
{
    if (cpu_ns < SPIN_NS || atomic_exchange(&device->wait_any_spins, true))
        return;
    log_write(LOG_VULKAN, "%s: waiting for one of several timelines takes a CPU core: not used",
              device->facts->props.deviceName);
}

VkResult vk_timeline_wait_any(struct vk_device *device, const struct vk_wait *waits, uint32_t count,
                              uint64_t ns)
{
    if (count == 1 || !vk_wait_any_sleeps(device))
        return vk_timeline_wait(device, waits[0].timeline, waits[0].value, ns);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    thread_clock clock = thread_clock_self();
    uint64_t cpu = thread_clock_ns(clock);
    result = wait_any(device, waits, count, ns < SLICE_NS ? ns : SLICE_NS);
    note_spinning(device, thread_clock_ns(clock) - cpu);
    if (result < 0 && result != VK_ERROR_DEVICE_LOST) // for example, out of memory
        thread_sleep_us(POLL_NS / 1000);
    gate_give_up();
    if (result == VK_TIMEOUT)
        ask_queues(device);
    if (vk_pulse_look(device) != VK_SUCCESS)
        return VK_ERROR_DEVICE_LOST;
    return vk_device_note(device, result, "waiting for timelines");
}

VkResult vk_timeline_signal(struct vk_device *device, struct vk_timeline *timeline, uint64_t value)
{
    VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = timeline->handle,
        .value = value,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.SignalSemaphore(device->handle, &info);
    return vk_device_note(device, result, "signalling a timeline");
}

// ---- submitting ---------------------------------------------------------------------------------

// Parameters of a submission, for all variants.
struct submission {
    VkCommandBuffer commands;
    const struct vk_wait *waits;
    uint32_t wait_count;
    const struct vk_binaries *binaries; // never NULL
    struct vk_timeline *timeline;
    uint64_t value;
};

static VkSemaphoreSubmitInfo semaphore_info(VkSemaphore semaphore, uint64_t value)
{
    return (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore,
        .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
}

static VkResult submit2(struct vk_device *device, VkQueue queue, const struct submission *what)
{
    VkSemaphoreSubmitInfo before[VK_WAIT_MAX + VK_BINARY_MAX], after[1 + VK_BINARY_MAX];
    const struct vk_binaries *binaries = what->binaries;
    for (uint32_t i = 0; i < what->wait_count; i++)
        before[i] = semaphore_info(what->waits[i].timeline->handle, what->waits[i].value);
    for (uint32_t i = 0; i < binaries->before_count; i++)
        before[what->wait_count + i] = semaphore_info(binaries->before[i], 0);
    after[0] = semaphore_info(what->timeline->handle, what->value);
    for (uint32_t i = 0; i < binaries->after_count; i++)
        after[1 + i] = semaphore_info(binaries->after[i], 0);
    VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = what->commands,
    };
    VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = what->wait_count + binaries->before_count,
        .pWaitSemaphoreInfos = before,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = 1 + binaries->after_count,
        .pSignalSemaphoreInfos = after,
    };
    return device->fn.QueueSubmit2(queue, 1, &info, VK_NULL_HANDLE);
}

// For Vulkan 1.2 with timelines, and for Vulkan 1.1 with a fence. Values of binary semaphores are
// ignored.
static VkResult submit1(struct vk_device *device, VkQueue queue, const struct submission *what,
                        VkFence fence)
{
    VkSemaphore before[VK_WAIT_MAX + VK_BINARY_MAX], after[1 + VK_BINARY_MAX];
    VkPipelineStageFlags stages[VK_WAIT_MAX + VK_BINARY_MAX];
    uint64_t values[VK_WAIT_MAX + VK_BINARY_MAX] = {0}, signals[1 + VK_BINARY_MAX] = {what->value};
    const struct vk_binaries *binaries = what->binaries;
    bool timed = fence == VK_NULL_HANDLE;
    uint32_t wait_count = 0, signal_count = timed;
    for (uint32_t i = 0; timed && i < what->wait_count; i++) {
        before[wait_count] = what->waits[i].timeline->handle;
        values[wait_count++] = what->waits[i].value;
    }
    for (uint32_t i = 0; i < binaries->before_count; i++)
        before[wait_count++] = binaries->before[i];
    for (uint32_t i = 0; i < wait_count; i++)
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    after[0] = what->timeline->handle; // none, and written over, where there is a fence
    for (uint32_t i = 0; i < binaries->after_count; i++)
        after[signal_count++] = binaries->after[i];
    VkTimelineSemaphoreSubmitInfo all_values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait_count,
        .pWaitSemaphoreValues = values,
        .signalSemaphoreValueCount = signal_count,
        .pSignalSemaphoreValues = signals,
    };
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = timed ? &all_values : NULL,
        .waitSemaphoreCount = wait_count,
        .pWaitSemaphores = before,
        .pWaitDstStageMask = stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &what->commands,
        .signalSemaphoreCount = signal_count,
        .pSignalSemaphores = after,
    };
    return device->fn.QueueSubmit(queue, 1, &info, fence);
}

static VkResult submit_fence(struct vk_device *device, VkQueue queue, const struct submission *what)
{
    struct vk_fence *fence;
    VkResult result = vk_fence_take(device, &fence);
    if (result == VK_SUCCESS) {
        result = submit1(device, queue, what, fence->handle);
        vk_fence_sent(device, &what->timeline->fences, fence, what->value, result == VK_SUCCESS);
    }
    return result;
}

VkResult vk_submit(struct vk_device *device, struct vk_queue *queue, VkCommandBuffer commands,
                   const struct vk_wait *waits, uint32_t wait_count,
                   const struct vk_binaries *binaries, struct vk_timeline *timeline, uint64_t value)
{
    static const struct vk_binaries none;
    const struct vk_features *has = &device->facts->features;
    const struct submission what = {commands, waits, wait_count, binaries ? binaries : &none,
                                    timeline, value};
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&queue->lock);
    if (!has->timeline_semaphore)
        result = submit_fence(device, queue->handle, &what);
    else if (has->synchronization2)
        result = submit2(device, queue->handle, &what);
    else
        result = submit1(device, queue->handle, &what, VK_NULL_HANDLE);
    pthread_mutex_unlock(&queue->lock);
    atomic_store_explicit(&queue->used, true, memory_order_relaxed);
    return vk_device_note(device, result, "submitting");
}

static VkResult bind_with_fence(struct vk_device *device, const VkBindSparseInfo *info,
                                struct vk_timeline *timeline, uint64_t value)
{
    struct vk_fence *fence;
    VkResult result = vk_fence_take(device, &fence);
    if (result == VK_SUCCESS) {
        result = device->fn.QueueBindSparse(device->queues[0].handle, 1, info, fence->handle);
        vk_fence_sent(device, &timeline->fences, fence, value, result == VK_SUCCESS);
    }
    return result;
}

static VkResult bind_with_semaphore(struct vk_device *device, VkBindSparseInfo *info,
                                    struct vk_timeline *timeline, uint64_t value)
{
    VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    info->pNext = &values;
    info->signalSemaphoreCount = 1;
    info->pSignalSemaphores = &timeline->handle;
    return device->fn.QueueBindSparse(device->queues[0].handle, 1, info, VK_NULL_HANDLE);
}

VkResult vk_bind_sparse(struct vk_device *device, VkBindSparseInfo *info)
{
    struct vk_timeline *timeline;
    VkResult result = vk_timeline_create(device, &timeline);
    if (result != VK_SUCCESS)
        return result;
    uint64_t value = timeline->value + 1;
    info->sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO;
    pthread_mutex_lock(&device->queues[0].lock);
    result = has_semaphores(device) ? bind_with_semaphore(device, info, timeline, value)
                                    : bind_with_fence(device, info, timeline, value);
    pthread_mutex_unlock(&device->queues[0].lock);
    bool sent = result == VK_SUCCESS;
    if (sent)
        result = vk_timeline_wait(device, timeline, value, UINT64_MAX);
    vk_timeline_release(device, timeline, sent ? value : timeline->value);
    return result;
}

// Identifies this program in vk_recall_find().
static uint64_t queues_row(void)
{
    const char *name = process_name();
    return hash_combine(hash_bytes64("queues", 6), name ? hash_bytes64(name, strlen(name)) : 0);
}

void vk_queues_choose(struct vk_device *device)
{
    const struct vk_facts *facts = device->facts;
    uint32_t wanted = QUEUES_AT_FIRST;
    vk_recall_find(device, queues_row(), &wanted, 1); // the file may have been written by anybody
    device->queue_count = wanted && wanted < facts->queue_count ? wanted : facts->queue_count;
    device->copy_queue_count = wanted == 1 ? 0 : facts->copy_queue_count;
    log_write(LOG_VULKAN, "%s: %u of %u queues", facts->props.deviceName, device->queue_count, facts->queue_count);
}

void vk_queues_count(struct vk_device *device, bool more)
{
    uint32_t known = 0, count = atomic_fetch_add(&device->command_queues, more ? 1U : -1U) + 1;
    if (more && count <= VK_QUEUE_MAX && device->fork_generation == thread_fork_generation() &&
        !(vk_recall_find(device, queues_row(), &known, 1) && known >= count))
        vk_recall_note(device, queues_row(), &count, 1);
}

struct vk_queue *vk_queue_pick(struct vk_device *device)
{
    return &device->queues[atomic_fetch_add(&device->next_queue, 1) % device->queue_count];
}

// ---- recording ----------------------------------------------------------------------------------

struct vk_queue *vk_copy_queue_pick(struct vk_device *device)
{
    uint32_t count = device->copy_queue_count;
    return count ? &device->copy_queues[atomic_fetch_add(&device->next_copy_queue, 1) % count] : NULL;
}

VkResult vk_pool_create(struct vk_device *device, uint32_t family, VkCommandPool *pool)
{
    VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = family,
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

// For flags that have the same bits in both.
static VkPipelineStageFlags stages_of(VkPipelineStageFlags2 stages)
{
    assert(stages && !(stages & ~(VkPipelineStageFlags2)(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                                         VK_PIPELINE_STAGE_TRANSFER_BIT |
                                                         VK_PIPELINE_STAGE_HOST_BIT)));
    return (VkPipelineStageFlags)stages;
}

static VkMemoryBarrier memory_of(const VkMemoryBarrier2 *from)
{
    return (VkMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = (VkAccessFlags)from->srcAccessMask,
        .dstAccessMask = (VkAccessFlags)from->dstAccessMask,
    };
}

static VkImageMemoryBarrier image_of(const VkImageMemoryBarrier2 *from)
{
    return (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = (VkAccessFlags)from->srcAccessMask,
        .dstAccessMask = (VkAccessFlags)from->dstAccessMask,
        .oldLayout = from->oldLayout,
        .newLayout = from->newLayout,
        .srcQueueFamilyIndex = from->srcQueueFamilyIndex,
        .dstQueueFamilyIndex = from->dstQueueFamilyIndex,
        .image = from->image,
        .subresourceRange = from->subresourceRange,
    };
}

static VkBufferMemoryBarrier buffer_of(const VkBufferMemoryBarrier2 *from)
{
    return (VkBufferMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        .srcAccessMask = (VkAccessFlags)from->srcAccessMask,
        .dstAccessMask = (VkAccessFlags)from->dstAccessMask,
        .srcQueueFamilyIndex = from->srcQueueFamilyIndex,
        .dstQueueFamilyIndex = from->dstQueueFamilyIndex,
        .buffer = from->buffer,
        .offset = from->offset,
        .size = from->size,
    };
}

void vk_commands_depend(struct vk_device *device, VkCommandBuffer commands,
                        const VkDependencyInfo *info)
{
    if (device->facts->features.synchronization2) {
        device->fn.CmdPipelineBarrier2(commands, info);
        return;
    }
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *from = &info->pMemoryBarriers[i];
        VkMemoryBarrier barrier = memory_of(from);
        device->fn.CmdPipelineBarrier(commands, stages_of(from->srcStageMask),
                                      stages_of(from->dstStageMask), 0, 1, &barrier, 0, NULL, 0,
                                      NULL);
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *from = &info->pBufferMemoryBarriers[i];
        VkBufferMemoryBarrier barrier = buffer_of(from);
        device->fn.CmdPipelineBarrier(commands, stages_of(from->srcStageMask),
                                      stages_of(from->dstStageMask), 0, 0, NULL, 1, &barrier, 0,
                                      NULL);
    }
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *from = &info->pImageMemoryBarriers[i];
        VkImageMemoryBarrier barrier = image_of(from);
        device->fn.CmdPipelineBarrier(commands, stages_of(from->srcStageMask),
                                      stages_of(from->dstStageMask), 0, 0, NULL, 0, NULL, 1,
                                      &barrier);
    }
}

void vk_commands_stamp(struct vk_device *device, VkCommandBuffer commands, VkQueryPool pool,
                       uint32_t query)
{
    if (device->facts->features.synchronization2)
        device->fn.CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, query);
    else
        device->fn.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, query);
}

// On a copy queue only transfers exist.
static void memory_barrier(struct vk_device *device, VkCommandBuffer commands, bool copies,
                           VkPipelineStageFlags2 stages, VkAccessFlags2 access)
{
    VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = copies ? COPIES : COPIES | KERNELS,
        .srcAccessMask = copies ? COPY_WRITES : COPY_WRITES | VK_ACCESS_2_SHADER_WRITE_BIT,
        .dstStageMask = stages,
        .dstAccessMask = access,
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    vk_commands_depend(device, commands, &info);
}

void vk_commands_barrier(struct vk_device *device, VkCommandBuffer commands)
{
    memory_barrier(device, commands, false, COPIES | KERNELS,
                   COPY_READS | COPY_WRITES | VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT);
}

void vk_commands_copy_barrier(struct vk_device *device, VkCommandBuffer commands)
{
    memory_barrier(device, commands, true, COPIES, COPY_READS | COPY_WRITES);
}

void vk_commands_host_barrier(struct vk_device *device, VkCommandBuffer commands, bool copies)
{
    memory_barrier(device, commands, copies, VK_PIPELINE_STAGE_2_HOST_BIT,
                   VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT);
}

VkResult vk_calibrate(struct vk_device *device, uint64_t *ticks, uint64_t *host_ns)
{
    VkCalibratedTimestampInfoEXT info[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = (VkTimeDomainEXT)system_time_domain()},
    };
    uint64_t stamps[2], deviation;
    if (!device->facts->features.calibrated_timestamps || !device->fn.GetCalibratedTimestampsEXT)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.GetCalibratedTimestampsEXT(device->handle, 2, info, stamps, &deviation);
    *ticks = stamps[0];
    *host_ns = system_ticks_to_ns(stamps[1]);
    return vk_device_note(device, result, "calibrating timestamps");
}
