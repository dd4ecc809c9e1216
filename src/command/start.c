// SPDX-License-Identifier: Apache-2.0
// Starting commands: on the host or in a batch, at once or when a held command's dependencies are
// done. A held command is started by whichever thread sees the change: a waiting caller, the setter
// of a user event, or the completion thread.
#include "command/batch.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/thread.h"
#include "vulkan/interrupts.h"

enum { IDLE_BATCH_MAX = 64 }; // maximum number of commands before an idle device gets the batch

// ---- on the host --------------------------------------------------------------------------------

// Commands enqueued from now on see this one as running. Also needs the queue's own lock.
static void begin_on_host(struct command *command)
{
    cmd_set_state(command, CMD_RUNNING);
    command->next = command->queue->running;
    command->queue->running = command;
}

void cmd_end_on_host(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    struct command *before = queue->running;
    if (before == command) {
        queue->running = command->next;
        return;
    }
    while (before->next != command)
        before = before->next;
    before->next = command->next;
}

void cmd_run_on_host(struct command *command)
{
    atomic_store(&command->status, CL_RUNNING);
    if (command->callbacks)
        cmd_callbacks_fire(command, CL_RUNNING);
    bool ends = command->ops->place != CMD_ASYNC; // else the command may be freed when run()
                                                  // returns
    pthread_mutex_unlock(&cmd_mutex);
    uint64_t start = thread_now_ns();
    command->ops->run(command);
    uint64_t end = thread_now_ns();
    pthread_mutex_lock(&cmd_mutex);
    if (!ends)
        return;
    command->times[TIME_SUBMIT] = command->times[TIME_START] = start;
    command->times[TIME_END] = end;
    cmd_end_on_host(command);
    cmd_complete(command, CL_COMPLETE);
}

// ---- new commands -------------------------------------------------------------------------------

static void set_barrier(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (!command->is_barrier || queue->in_order)
        return;
    cmd_release(queue->last_barrier);
    queue->last_barrier = cmd_retain(command);
}

// The reason why the queue cannot run commands: the device is lost, or, in an in-order queue, a
// command could not be submitted and this is not reported to the application yet.
static cl_int blocking_error(const struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (vk_device_check(queue->device) != VK_SUCCESS)
        return cmd_error(VK_ERROR_DEVICE_LOST);
    return queue->in_order && queue->unreported & (ANY_THREAD | command->thread) ? queue->error
                                                                                 : CL_SUCCESS;
}

// Records a ready device command. Needs the queue's own lock. Returns an error only if nothing was
// recorded.
static VkResult start(struct command *command, const struct cmd_dep *deps, uint32_t count)
{
    cl_int error = blocking_error(command);
    if (error) {
        command->queue->error = error;
        command->queue->unreported |= command->thread;
        cmd_complete(command, error);
        return VK_SUCCESS;
    }
    return batch_record(command, deps, count);
}

static bool on_cpu(const struct cmd_queue *queue)
{
    return queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

// The number of commands that justify a submission while a batch runs. If the host has waited for a
// command with kernels behind it, these run now, and each batch more would delay the device.
static uint32_t busy_threshold(const struct cmd_queue *queue)
{
    uint32_t least = atomic_load_explicit(&queue->early_ops, memory_order_relaxed) ? BUSY_THRESHOLD : 0;
    return queue->threshold > least ? queue->threshold : least;
}

// An idle device should get the batch at once. A GPU takes some microseconds from submission to
// start, so it should get a longer next batch while it is still running one.
static bool wants_batch(struct cmd_queue *queue, uint32_t count)
{
    uint32_t backlog = batch_backlog(queue);
    return backlog ? backlog == 1 && !on_cpu(queue) && count >= busy_threshold(queue)
                   : count >= queue->threshold || count >= IDLE_BATCH_MAX;
}

bool cmd_worth_submitting(struct cmd_queue *queue)
{
    const struct cmd_batch *open = queue->open;
    bool printed = atomic_load(&cmd_printf_buffers) > PRINTF_BUFFERS;
    bool look = open && open->count >= min_u64(queue->threshold, IDLE_BATCH_MAX) &&
                open->count % IDLE_CHECK_EVERY == 0;
    return open &&
           (open->count >= BATCH_COMMANDS || printed || (look && wants_batch(queue, open->count)));
}

// Each submission makes the next batch longer, so a stream of small commands needs few submissions.
// The growth is limited on GPUs, so that the device does not finish one batch before the next is
// recorded.
bool cmd_submit_if_worth(struct cmd_queue *queue)
{
    if (!cmd_worth_submitting(queue))
        return false;
    uint32_t now = queue->threshold, longer = on_cpu(queue) ? now * 2 : now + now / 2;
    longer = (longer + IDLE_CHECK_EVERY - 1) / IDLE_CHECK_EVERY * IDLE_CHECK_EVERY;
    queue->threshold = (uint32_t)min_u64(longer, on_cpu(queue) ? IDLE_BATCH_MAX : BATCH_COMMANDS);
    batch_submit(queue);
    return true;
}

VkResult cmd_start_or_hold(struct command *command, const struct cmd_deps *list, bool blocking,
                           struct cmd_followup *rest)
{
    struct cmd_queue *queue = command->queue;
    VkResult result = VK_SUCCESS;
    cmd_schedule.kernels_touch_host |= command->any_host;
    if (command->host_writes)
        cmd_writer_add(command);
    enum ready ready = cmd_ready(command, list->items, list->count, !queue->held);
    if (ready == FAILED) {
        cmd_complete(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    } else if (ready == HOLD || command->ops->place == CMD_THREAD) {
        rest->flush = cmd_needs_complete(command);
        result = cmd_hold_with(command, list);
    } else if (cmd_on_host(command) && !blocking_error(command)) {
        begin_on_host(command);
        rest->run = true;
    } else {
        result = start(command, list->items, list->count);
        if (result == VK_SUCCESS && !blocking)
            rest->submitted = cmd_submit_if_worth(queue);
    }
    if (result == VK_SUCCESS)
        set_barrier(command);
    else if (command->host_writes)
        cmd_writer_remove(command);
    return result;
}

void cmd_start_list(struct cmd_queue *queue, struct command *list)
{
    const struct cmd_deps none = {.count = 0};
    struct cmd_followup rest = {false, false, false};
    while (list) {
        struct command *command = list;
        list = list->next;
        command->next = NULL;
        VkResult result = cmd_start_or_hold(command, &none, false, &rest);
        if (result != VK_SUCCESS)
            cmd_queue_fail(queue, command, cmd_error(result));
        queue->inbox_count--;
    }
}

// ---- held commands ------------------------------------------------------------------------------

// Needs the queue's own lock and releases it.
static void start_held(struct cmd_queue *queue, struct command *command, enum ready ready)
{
    cmd_unhold(command);
    if (ready == READY && cmd_on_host(command) && !blocking_error(command)) {
        begin_on_host(command);
        cmd_queue_give(queue);
        cmd_run_on_host(command);
        return;
    }
    VkResult result = VK_SUCCESS;
    if (ready == FAILED)
        cmd_complete(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    else
        result = start(command, command->deps, command->dep_count);
    if (result != VK_SUCCESS)
        cmd_queue_fail(queue, command, cmd_error(result));
    cmd_queue_give(queue);
}

// Starts one held command that can start. False: there is none, and the lock was held
// throughout.
static bool start_one_held(struct cmd_queue *queue, bool on_thread)
{
    enum ready ready;
    bool at_once = cmd_queue_take(queue);
    struct command *next = cmd_find_startable(queue, on_thread, &ready);
    struct cmd_queue *other =
        next && ready == READY ? cmd_unsubmitted(queue, next->deps, next->dep_count) : NULL;
    if (next && !other) {
        start_held(queue, next, ready);
        return true;
    }
    cmd_queue_give(queue);
    if (other)
        batch_flush_awaited(other);
    return other || !at_once;
}

// Does requested background work, so that no caller waits for it. Releases the lock temporarily.
static void do_chores(struct cmd_queue *queue)
{
    unsigned chores = queue->chores;
    queue->chores = 0;
    if (chores & CHORE_WARM_UP)
        batch_warm_up(queue);
    if (chores & CHORE_COUNT_INTERRUPTS) {
        pthread_mutex_unlock(&cmd_mutex);
        vk_interrupts_refresh(queue->device);
        pthread_mutex_lock(&cmd_mutex);
    }
}

// One step on one queue; if true, the lock may have been released meanwhile.
static bool queue_progress(struct cmd_queue *queue, bool on_thread)
{
    if (on_thread && queue->chores) {
        do_chores(queue);
        return true;
    }
    if (batch_retire(queue))
        return true;
    if (!queue->held)
        return false;
    bool started = false;
    while (start_one_held(queue, on_thread))
        started = true;
    if (started) {
        if (!cmd_flush_later(queue))
            batch_flush(queue);
        cmd_wake_sleepers();
    }
    return started;
}

bool cmd_progress(bool on_thread)
{
    bool any = false;
    if (gate_ended())
        return false;
    for (struct cmd_queue *queue = cmd_schedule.queues; queue;) {
        queue->waiters++; // keeps the queue while the lock is released
        bool some = queue_progress(queue, on_thread);
        queue->waiters--;
        struct cmd_queue *next = queue->next;
        cmd_queue_maybe_destroy(queue);
        any |= some;
        // The list may have changed: restart.
        queue = some ? cmd_schedule.queues : next;
    }
    return any;
}
