// SPDX-License-Identifier: Apache-2.0
// Queues: create, flush, finish, release. A queue that is released with unfinished work is
// destroyed when that is done, without any thread waiting for it.
#include <stdlib.h>

#include "command/batch.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/thread.h"
#include "vulkan/interrupts.h"

enum { FLUSH_SOON_NS = 500000, FLUSH_LATER_NS = 100000, BACKLOG_MIN = 2 };
// A batch to which nothing is added for so long is submitted. On a CPU, where looking takes time from the kernels, the
// host gains less from running beside them. Longer for a queue that has always submitted its batches before.
enum { QUIET_NS = 100000, QUIET_ON_CPU_NS = 1000000, QUIET_TIMES = 8 };

static void flush_at(struct cmd_queue *queue, uint64_t ns)
{
    if (queue->flush_asked)
        return;
    queue->flush_asked = true;
    queue->flush_at = thread_now_ns() + ns;
    cmd_thread_wake();
}

static uint64_t quiet_ns(const struct cmd_queue *queue)
{
    return queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? QUIET_ON_CPU_NS : QUIET_NS;
}

void cmd_flush_when_quiet(struct cmd_queue *queue)
{
    uint64_t now = thread_now_ns(), least = quiet_ns(queue), ns = max_u64(queue->quiet_ns, least);
    queue->quiet_ns = min_u64(2 * ns, QUIET_TIMES * least);
    queue->seen = 1;
    queue->flush_at = now + ns;
    cmd_thread_attend(now, ns);
}

enum look { ADDING, QUIET, QUIET_WITH_BACKLOG };

// Looks whether anything has been added to the open batch since the last time. If the queue's own lock is in use,
// it is just happening.
static enum look look_at(struct cmd_queue *queue)
{
    uint32_t before = queue->seen;
    if (pthread_mutex_trylock(&queue->lock))
        return ADDING;
    queue->seen = (queue->open ? queue->open->count : 0) + queue->inbox_count;
    bool backlog = batch_backlog(queue) >= BACKLOG_MIN;
    pthread_mutex_unlock(&queue->lock);
    return queue->seen != before ? ADDING : backlog ? QUIET_WITH_BACKLOG : QUIET;
}

void cmd_flush_if_due(struct cmd_queue *queue, uint64_t now)
{
    enum look look = queue->flush_asked ? QUIET : look_at(queue);
    queue->flush_at = now + (look == ADDING ? quiet_ns(queue) : FLUSH_SOON_NS);
    if (look != QUIET)
        return;
    queue->quiet_ns = queue->flush_asked ? queue->quiet_ns : 0;
    queue->flush_at = 0;
    queue->flush_asked = false;
    batch_flush(queue);
}

// If the device has one batch to run and another queued, the open batch may grow until it does not:
// each submission costs the device some microseconds (7 us on an H200). The next caller or, soon,
// the completion thread submits it. Under the lock.
bool cmd_flush_later(struct cmd_queue *queue)
{
    if (!queue->open || queue->inbox_count || batch_backlog(queue) < BACKLOG_MIN)
        return false;
    flush_at(queue, FLUSH_LATER_NS);
    return true;
}

cl_int cmd_flush(struct cmd_queue *queue)
{
    VkResult result = vk_device_check(queue->device);
    if (result != VK_SUCCESS || gate_ended())
        return cmd_error(result);
    cmd_lock();
    queue->threshold = FIRST_THRESHOLD;
    if (!cmd_flush_later(queue))
        batch_flush(queue);
    batch_retire(queue);
    cl_int error = cmd_queue_take_error(queue);
    cmd_unlock();
    return error;
}

void cmd_flush_idle(struct cmd_queue *queue)
{
    cmd_lock();
    if (queue->open && !queue->in_flight && !gate_ended())
        batch_flush(queue);
    cmd_unlock();
}

// Held commands that wait for a user event that can no longer be set are dropped now, and with them
// the references that keep the queue.
void cmd_queue_set_app_released(struct cmd_queue *queue, bool gone)
{
    if (gate_ended())
        return;
    cmd_lock();
    queue->app_released = gone;
    if (gone && queue->held) {
        cmd_check_held(queue);
        cmd_thread_interrupt();
    }
    cmd_unlock();
}

void cmd_flush_soon(struct cmd_queue *queue)
{
    if (queue->device->fork_generation != thread_fork_generation())
        return;
    cmd_lock();
    if (queue->open || queue->inbox_count)
        flush_at(queue, FLUSH_SOON_NS);
    cmd_unlock();
}

// Finishes a queue whose commands are all submitted or in the open batch: no marker is needed to
// detect the end. Under the lock. False: some command must start first.
static bool finish_batches(struct cmd_queue *queue)
{
    queue->waiters++;
    batch_flush_awaited(queue);
    bool all = !queue->open && !queue->held && !queue->running && !queue->inbox_count;
    uint64_t last = queue->next_value - 1;
    while (all && (queue->retiring || (queue->in_flight && queue->in_flight->value <= last)) &&
           !gate_ended() && !gate_cancelled()) {
        if (queue->retiring)
            cmd_sleep(true);
        else if (!batch_retire(queue))
            cmd_wait_in_flight(queue, last, CMD_SLICE_NS, true);
    }
    queue->waiters--;
    if (all)
        cmd_callbacks_settle(queue);
    return all;
}

cl_int cmd_finish(struct cmd_queue *queue)
{
    const struct cmd_request request = {.queue = queue, .blocking = true};
    VkResult result = vk_device_check(queue->device);
    if (result != VK_SUCCESS || gate_ended())
        return cmd_error(result);
    cmd_lock();
    cl_int error = cmd_queue_take_error(queue);
    bool done = finish_batches(queue);
    cl_int more = done ? cmd_queue_take_error(queue) : CL_SUCCESS;
    cmd_unlock();
    if (done)
        return error ? error : more ? more : cmd_error(vk_device_check(queue->device));
    more = cmd_marker(&request);
    cmd_lock();
    if (!more)
        more = cmd_queue_take_error(queue);
    cmd_unlock();
    return error ? error : more;
}

void cmd_queue_set_owner(struct cmd_queue *queue, const void *owner)
{
    cmd_lock(); // the queue is already in the list
    queue->owner = owner;
    cmd_unlock();
}

// Waits only for what is enqueued now: pending callbacks may themselves be the waiter.
static void finish_enqueued(struct cmd_queue *queue)
{
    struct command *command = NULL;
    const struct cmd_request request = {.queue = queue, .out = &command};
    if (cmd_marker(&request) == CL_SUCCESS)
        cmd_wait(&command, 1);
    cmd_release(command);
}

// Includes queues that the application has released, until they are idle.
void cmd_finish_all(const void *owner)
{
    cmd_lock();
    for (struct cmd_queue *queue = cmd_schedule.queues; queue && !gate_ended();) {
        queue->waiters++; // keeps the queue while the lock is released
        if (queue->owner == owner && !cmd_queue_idle(queue)) {
            cmd_unlock();
            finish_enqueued(queue);
            cmd_lock();
        }
        queue->waiters--;
        struct cmd_queue *next = queue->next;
        cmd_queue_maybe_destroy(queue);
        queue = next;
    }
    cmd_unlock();
}

void cmd_queue_destroy(struct cmd_queue *queue)
{
    struct vk_device *device = queue->device;
    cmd_release(queue->last_barrier);
    if (queue->chores & CHORE_COUNT_INTERRUPTS)
        vk_interrupts_cancel(device);
    if (device->fork_generation == thread_fork_generation()) {
        if (vk_device_check(device) == VK_SUCCESS && queue->timeline)
            vk_timeline_wait(device, queue->timeline, queue->next_value - 1, UINT64_MAX);
        batch_destroy_all(queue);
        if (queue->pool)
            device->fn.DestroyCommandPool(device->handle, queue->pool, NULL);
        if (queue->copy_pool)
            device->fn.DestroyCommandPool(device->handle, queue->copy_pool, NULL);
        if (queue->warm_pool)
            device->fn.DestroyCommandPool(device->handle, queue->warm_pool, NULL);
        if (queue->timeline)
            vk_timeline_release(device, queue->timeline, queue->next_value - 1);
        vk_buffer_destroy(&queue->scratch);
    }
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    vk_device_close(device);
}

static VkResult queue_init(struct cmd_queue *queue)
{
    struct vk_device *device = queue->device;
    VkResult result = vk_timeline_create(device, &queue->timeline);
    if (result != VK_SUCCESS)
        return result;
    queue->next_value = queue->timeline->value + 1;
    queue->reached = queue->timeline->value;
    return vk_pool_create(device, device->facts->queue_family, &queue->pool);
}

cl_int cmd_queue_create(struct vk_device *device, cl_command_queue_properties properties,
                        struct cmd_queue **out)
{
    cmd_fork_watch();
    struct cmd_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return CL_OUT_OF_HOST_MEMORY;
    cmd_queue_init_lock(queue);
    queue->device = device;
    vk_device_retain(device); // the completion thread may be what destroys the queue
    queue->vk = vk_queue_pick(device);
    queue->copies = vk_copy_queue_pick(device);
    queue->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    queue->profiling = properties & CL_QUEUE_PROFILING_ENABLE;
    queue->traced = cmd_trace_on();
    queue->timing = queue->profiling || queue->traced;
    queue->threshold = FIRST_THRESHOLD;
    queue->in_flight_last = &queue->in_flight;
    queue->held_last = &queue->held;
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = queue_init(queue);
    if (result != VK_SUCCESS) {
        cmd_queue_destroy(queue);
        return cmd_error(result);
    }
    cmd_lock();
    device->command_exit = cmd_device_exit;
    device->command_ended = cmd_process_ended;
    cmd_queue_link(queue);
    cmd_unlock();
    *out = queue;
    return CL_SUCCESS;
}

void cmd_queue_warm_up(struct cmd_queue *queue)
{
    if (queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return;
    cmd_lock();
    cmd_request_chore(queue, CHORE_WARM_UP);
    cmd_unlock();
}

void cmd_queue_release(struct cmd_queue *queue)
{
    if (!queue)
        return;
    if (queue->device->fork_generation != thread_fork_generation() || gate_ended())
        return;
    cmd_lock();
    batch_flush(queue);
    batch_retire(queue);
    cmd_queue_orphan(queue);
    cmd_unlock();
}
