// SPDX-License-Identifier: Apache-2.0
// Enqueueing. Fast path: a command goes into its queue's open batch or inbox under the queue's own
// lock. Slow path: under both locks, where it may be held, run on the host or waited for.
#define _GNU_SOURCE
#include "command/batch.h"
#include "command/replay.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/options.h"
#include "util/thread.h"

// ---- the slow path ------------------------------------------------------------------------------

// A queue whose open batch contains a dependency of the command; NULL: none.
static struct cmd_queue *queue_to_flush(const struct cmd_request *request,
                                        const struct command *command)
{
    const struct command *first = command->predecessor;
    if (first && first->queue != command->queue && batch_is_open(first))
        return first->queue;
    for (uint32_t i = 0; i < request->wait_count; i++)
        if (request->waits[i]->queue != command->queue && batch_is_open(request->waits[i]))
            return request->waits[i]->queue;
    return NULL;
}

// Takes the queue's own lock at a moment when all recorded dependencies have been submitted.
static void take_after_deps(const struct cmd_request *request, const struct command *command)
{
    struct cmd_queue *queue = command->queue, *other;
    cmd_queue_take(queue);
    while ((other = queue_to_flush(request, command))) {
        cmd_queue_give(queue);
        batch_flush_awaited(other);
        cmd_queue_take(queue);
    }
}

// Submits the dependencies of a held command.
static void flush_deps(const struct cmd_deps *list)
{
    struct cmd_queue *other;
    while ((other = cmd_unsubmitted(NULL, list->items, list->count)))
        batch_flush_awaited(other);
}

static VkResult enqueue_slow(const struct cmd_request *request, struct command *command,
                             struct cmd_followup *rest)
{
    struct cmd_queue *queue = command->queue;
    struct cmd_deps list;
    cmd_deps_init(&list);
    take_after_deps(request, command);
    VkResult result = cmd_deps_collect(request, command, &list)
                          ? cmd_start_or_hold(command, &list, request->blocking, rest)
                          : VK_ERROR_OUT_OF_HOST_MEMORY;
    bool held = command->state == CMD_HELD;
    cmd_queue_give(queue);
    if (rest->run)
        cmd_run_on_host(command);
    if (held)
        flush_deps(&list);
    if (rest->flush)
        batch_flush(queue);
    cmd_deps_finish(&list);
    return result;
}

// Limits the commands in flight of an application that never waits.
static void wait_for_room(struct cmd_queue *queue)
{
    while (queue->in_flight &&
           (queue->in_flight_count > IN_FLIGHT_MAX ||
            atomic_load(&cmd_printf_buffers) > PRINTF_BUFFERS) &&
           !queue->retiring && !gate_ended() && vk_device_check(queue->device) == VK_SUCCESS) {
        cmd_wait_in_flight(queue, queue->in_flight->value, CMD_SLICE_NS, true);
        batch_retire(queue);
    }
}

// ---- the fast path ------------------------------------------------------------------------------

static bool syncs(const struct cmd_queue *queue)
{
    return option_on(OPTION_SYNC) && !queue->concurrent;
}

// Most commands are appended to an open batch and have no dependencies: for these the queue's own
// lock is enough, so threads with separate queues do not contend.
static bool may_append(const struct cmd_request *request, const struct command *command)
{
    return !request->wait_count && !request->blocking && command->ops->place == CMD_DEVICE &&
           !command->host_end && !command->any_host && !command->ends_batch &&
           !command->predecessor && !batch_would_end_early(command) &&
           !atomic_load(&cmd_shared_writers) && !syncs(request->queue);
}

static bool has_room(const struct cmd_queue *queue)
{
    return queue->open && !queue->open->apart && queue->open->count < BATCH_COMMANDS && !queue->held && !queue->running &&
           !queue->unreported && (queue->in_order || !queue->last_barrier);
}

// Appends commands from the inbox as long as the queue's own lock is enough; returns the rest.
static struct command *append_list(struct cmd_queue *queue, struct command *list)
{
    while (list && has_room(queue) && !cmd_worth_submitting(queue)) {
        struct command *next = list->next;
        VkResult result = batch_append(list, false);
        if (result != VK_SUCCESS) {
            cmd_lock();
            list->next = NULL;
            cmd_queue_fail(queue, list, cmd_error(result));
            pthread_mutex_unlock(&cmd_mutex);
        }
        queue->inbox_count--;
        list = next;
    }
    return list;
}

// Does what needs both locks, then releases the queue's own.
static void finish_append(struct cmd_queue *queue, struct command *list)
{
    if (!list && !cmd_worth_submitting(queue)) {
        pthread_mutex_unlock(&queue->lock);
        return;
    }
    cmd_lock();
    queue->waiters++;
    cmd_start_list(queue, list);
    cmd_submit_if_worth(queue);
    cmd_queue_give(queue);
    batch_retire(queue);
    wait_for_room(queue);
    cmd_unlock();
}

// False: the command must take the slow path.
static bool enqueue_short(const struct cmd_request *request, struct command *command,
                          VkResult *result)
{
    struct cmd_queue *queue = request->queue;
    if (pthread_mutex_trylock(&queue->lock)) {
        if (!request->out && queue->inbox_count < INBOX_MAX) {
            cmd_inbox_put(queue, command);
            return true;
        }
        thread_lock(&queue->lock);
    }
    struct command *list = append_list(queue, cmd_inbox_take(queue));
    bool fits = !list && has_room(queue);
    if (fits) {
        *result = batch_append(command, false);
        if (*result == VK_SUCCESS && request->out)
            *request->out = cmd_retain(command);
    }
    finish_append(queue, list);
    return fits;
}

// ---- enqueueing ---------------------------------------------------------------------------------

// The process is ending: nothing is executed any more, and every command counts as complete.
static cl_int enqueue_ended(const struct cmd_request *request, struct command *command)
{
    if (command->timed)
        command->times[TIME_QUEUED] = command->times[TIME_SUBMIT] = thread_now_ns();
    if (request->out)
        *request->out = cmd_retain(command);
    command->host_writes = false; // it was not added to the writers' list
    cmd_lock();
    cmd_complete(command, CL_COMPLETE);
    cmd_unlock();
    return CL_SUCCESS;
}

cl_int cmd_enqueue(const struct cmd_request *request, struct command *command)
{
    struct cmd_queue *queue = request->queue;
    struct cmd_followup rest = {false, false, false};
    VkResult result = vk_device_check(queue->device);
    bool sync = syncs(queue);
    if (queue->recording)
        return cmd_recording_add(queue->recording, command);
    command->caller_driven = request->blocking;
    command->may_be_early = request->out && !request->blocking && command->ops != &cmd_ops[CMD_NDRANGE];
    if (result != VK_SUCCESS) {
        cmd_drop(command);
        return cmd_error(result);
    }
    if (gate_ended())
        return enqueue_ended(request, command);
    if (command->timed)
        command->times[TIME_QUEUED] = thread_now_ns();
    if (may_append(request, command) && enqueue_short(request, command, &result)) {
        if (result != VK_SUCCESS)
            cmd_drop(command);
        return cmd_error(result);
    }
    cmd_retain(command); // keeps it alive after it may be complete
    cmd_lock();
    cl_int error = queue->in_order ? cmd_queue_take_error(queue) : CL_SUCCESS;
    if (!error)
        error = cmd_error(enqueue_slow(request, command, &rest));
    if (error) {
        cmd_unlock();
        cmd_release(command);
        cmd_drop(command);
        return error;
    }
    if (request->out)
        *request->out = cmd_retain(command);
    bool cancelled = request->blocking && !cmd_wait_own(command);
    if (!request->blocking && sync && command->state != CMD_HELD)
        cmd_wait_for(command, CMD_UNCANCELLED);
    else if (!request->blocking && rest.submitted)
        batch_retire(queue);
    if (request->blocking && !cancelled)
        cmd_callbacks_settle(queue);
    wait_for_room(queue);
    cl_int status = cancelled ? CL_OUT_OF_RESOURCES : request->blocking ? atomic_load(&command->status) : CL_COMPLETE;
    if (status < 0 && status == queue->error)
        cmd_queue_take_error(queue);
    cmd_unlock();
    cmd_release(command);
    return status < 0 ? status : CL_SUCCESS;
}
