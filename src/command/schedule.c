// SPDX-License-Identifier: Apache-2.0
// When a command may start: at once, or held until what it needs is on its way or complete.
//
// A device command may be recorded when everything it depends on is complete or recorded on the
// same device; a host command, or one that reads host memory that another will still write, when
// its dependencies are complete. In-order queues hold everything behind a held command. Held
// commands are started by whoever sees the change: a waiting caller, the setter of a user event,
// the completion thread.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/options.h"
#include "util/thread.h"

#define ANY_THREAD UINT64_C(1) // in `untold`: nobody knows yet

pthread_mutex_t cmd_mutex = THREAD_SHORT_LOCK;
static const pthread_mutex_t queue_lock = THREAD_SHORT_LOCK;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; // some command changed its state
static struct cmd_queue *all_queues;
static struct command *to_clear;     // done; to be freed outside of the lock
static struct cmd_queue *to_destroy; // released and idle
static struct command *writers;      // unfinished commands that write host memory
static uint32_t held_total, orphans;
static uint32_t sleepers;       // on it, since it was last signalled
static bool kernels_touch_host; // some kernel may have: whoever moves host memory must look out

// ---- the lock -----------------------------------------------------------------------------------

static void clear_command(struct command *command)
{
    if (command->span)
        cmd_trace(command);
    if (command->ops && command->ops->clear)
        command->ops->clear(command);
    for (int i = 0; i < COMMAND_BUFFERS; i++)
        vk_buffer_destroy(&command->buffers[i]);
    for (uint32_t i = 0; i < command->dep_count; i++)
        cmd_release(command->deps[i].command);
    free(command->deps);
    command->deps = NULL;
    command->dep_count = 0;
    for (uint32_t i = 0; i < command->hold_count; i++)
        command->holds[i].release(command->holds[i].object);
    command->hold_count = 0;
}

void cmd_lock(void)
{
    thread_lock(&cmd_mutex);
}

void cmd_unlock(void)
{
    struct command *list = to_clear;
    struct cmd_queue *queues = to_destroy;
    to_clear = NULL;
    to_destroy = NULL;
    pthread_mutex_unlock(&cmd_mutex);
    while (list) {
        struct command *next = list->next;
        clear_command(list);
        cmd_release(list);
        list = next;
    }
    while (queues) {
        struct cmd_queue *next = queues->next;
        cmd_queue_destroy(queues);
        queues = next;
    }
}

// ---- a queue's own lock -------------------------------------------------------------------------

static void put_in_inbox(struct cmd_queue *queue, struct command *command)
{
    struct command *last = queue->inbox;
    queue->inbox_count++;
    do
        command->next = last;
    while (!atomic_compare_exchange_weak(&queue->inbox, &last, command));
}

// The first first. Under the queue's own lock.
static struct command *take_inbox(struct cmd_queue *queue)
{
    struct command *list = queue->inbox ? atomic_exchange(&queue->inbox, NULL) : NULL;
    struct command *turned = NULL;
    while (list) {
        struct command *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    return turned;
}

static void put_list(struct cmd_queue *queue, struct command *list);

void cmd_queue_init_lock(struct cmd_queue *queue)
{
    queue->lock = queue_lock;
}

bool cmd_queue_take(struct cmd_queue *queue)
{
    queue->waiters++;
    bool at_once = !pthread_mutex_trylock(&queue->lock);
    if (!at_once) {
        pthread_mutex_unlock(&cmd_mutex);
        thread_lock(&queue->lock);
        cmd_lock();
    }
    struct command *list = take_inbox(queue);
    put_list(queue, list);
    return at_once && !list;
}

static void queue_unlink(struct cmd_queue *queue)
{
    if (queue->prev)
        queue->prev->next = queue->next;
    else
        all_queues = queue->next;
    if (queue->next)
        queue->next->prev = queue->prev;
}

void cmd_queue_maybe_destroy(struct cmd_queue *queue)
{
    if (!queue->released || !cmd_queue_idle(queue) || queue->waiters)
        return;
    queue_unlink(queue);
    orphans--;
    queue->next = to_destroy;
    to_destroy = queue;
}

void cmd_queue_give(struct cmd_queue *queue)
{
    pthread_mutex_unlock(&queue->lock);
    queue->waiters--;
    cmd_queue_maybe_destroy(queue);
}

// ---- forks --------------------------------------------------------------------------------------

static void lock_for_fork(void)
{
    pthread_mutex_lock(&cmd_mutex);
}

static void unlock_in_parent(void)
{
    pthread_mutex_unlock(&cmd_mutex);
}

// Threads that held a queue's lock, or slept, are not in the child.
static void unlock_in_child(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    for (struct cmd_queue *queue = all_queues; queue; queue = queue->next) {
        cmd_queue_init_lock(queue);
        queue->retiring = false;
    }
    changed = fresh;
    sleepers = 0;
    cmd_forget_thread();
    pthread_mutex_unlock(&cmd_mutex);
}

void cmd_fork_watch(void)
{
    pthread_atfork(lock_for_fork, unlock_in_parent, unlock_in_child);
}

// ---- completion ---------------------------------------------------------------------------------

static void writer_add(struct command *command)
{
    command->writer_next = writers;
    if (writers)
        writers->writer_prev = command;
    writers = command;
}

static void writer_remove(struct command *command)
{
    if (command->writer_prev)
        command->writer_prev->writer_next = command->writer_next;
    else
        writers = command->writer_next;
    if (command->writer_next)
        command->writer_next->writer_prev = command->writer_prev;
    command->writer_next = command->writer_prev = NULL;
}

void cmd_tell_sleepers(void)
{
    if (sleepers)
        pthread_cond_broadcast(&changed);
    sleepers = 0;
}

// Who ends the process does not wait for whom it sleeps for.
void cmd_sleep(void)
{
    sleepers++;
    unsigned depth = gate_step_out();
    pthread_cond_wait(&changed, &cmd_mutex);
    pthread_mutex_unlock(&cmd_mutex);
    gate_step_in(depth);
    pthread_mutex_lock(&cmd_mutex);
}

void cmd_complete(struct command *command, cl_int status)
{
    assert(command->state != CMD_DONE);
    if (command->state == CMD_HELD && !command->driven)
        held_total--;
    if (command->host_writes)
        writer_remove(command);
    if (command->timed && !command->times[TIME_END]) {
        uint64_t now = thread_now_ns();
        if (!command->times[TIME_START])
            command->times[TIME_START] = now;
        command->times[TIME_END] = now;
    }
    command->state = CMD_DONE;
    atomic_store(&command->status, status);
    if (command->callbacks)
        cmd_callbacks_fire(command, status);
    if (command->ops) { // a user event owns nothing
        command->next = to_clear;
        to_clear = command;
    }
    cmd_tell_sleepers();
    if (held_total)
        cmd_thread_wake(); // something may start now, on whatever queue
}

void cmd_complete_list(struct command *list, cl_int status)
{
    while (list) {
        struct command *next = list->next;
        cmd_complete(list, status);
        list = next;
    }
}

// ---- readiness ----------------------------------------------------------------------------------

enum ready { READY, HOLD, FAILED };

bool cmd_queue_idle(struct cmd_queue *queue)
{
    return !queue->open && !queue->flying && !queue->held && !queue->running && !queue->retiring &&
           !queue->inbox_count;
}

static bool on_host(const struct command *command)
{
    return command->ops->place == CMD_HOST || command->ops->place == CMD_THREAD;
}

// Where the host's part of one command and a kernel touch the same memory, being on the device is
// not enough: what came before must be complete.
static bool sees_host(const struct command *command)
{
    if (command->any_host)
        return writers != NULL;
    return kernels_touch_host && command->host_end && !command->host_writes;
}

static bool needs_all_complete(const struct command *command)
{
    return on_host(command) || sees_host(command);
}

static enum ready dep_ready(const struct command *command, const struct cmd_dep *dep)
{
    const struct command *on = dep->command;
    if (on->state == CMD_DONE)
        return atomic_load(&on->status) < 0 && !dep->quiet ? FAILED : READY;
    if (on->state != CMD_RECORDED || dep->complete || needs_all_complete(command))
        return HOLD;
    return on->queue->device == command->queue->device ? READY : HOLD;
}

// `first`: everything that was held before it in an in-order queue has started.
static enum ready command_ready(const struct command *command, const struct cmd_dep *deps,
                                uint32_t count, bool first)
{
    struct cmd_queue *queue = command->queue;
    enum ready ready = READY;
    for (uint32_t i = 0; i < count; i++) {
        enum ready one = dep_ready(command, &deps[i]);
        if (one == FAILED)
            ready = FAILED;
        else if (one == HOLD)
            return HOLD; // fails, if it must, when all are done
    }
    if (queue->in_order) {
        if (!first || queue->running)
            return HOLD;
        if (needs_all_complete(command) && (queue->open || queue->flying || queue->retiring))
            return HOLD;
    }
    return ready;
}

// ---- starting -----------------------------------------------------------------------------------

static void set_barrier(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (!command->is_barrier || queue->in_order)
        return;
    cmd_release(queue->last_barrier);
    queue->last_barrier = cmd_retain(command);
}

// What is enqueued from now on sees the command running. Under the queue's own lock too.
static void begin_on_host(struct command *command)
{
    command->state = CMD_RUNNING;
    command->next = command->queue->running;
    command->queue->running = command;
}

static void end_on_host(struct command *command)
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

// Runs a host command that has begun; gives the lock up meanwhile.
static void run_on_host(struct command *command)
{
    atomic_store(&command->status, CL_RUNNING);
    if (command->callbacks)
        cmd_callbacks_fire(command, CL_RUNNING);
    pthread_mutex_unlock(&cmd_mutex);
    uint64_t start = thread_now_ns();
    command->ops->run(command);
    uint64_t end = thread_now_ns();
    pthread_mutex_lock(&cmd_mutex);
    command->times[TIME_SUBMIT] = command->times[TIME_START] = start;
    command->times[TIME_END] = end;
    end_on_host(command);
    cmd_complete(command, CL_COMPLETE);
}

// A lost device does nothing any more; behind a command that could not be submitted an in-order
// queue stands still until the application knows.
static cl_int standstill(const struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (vk_device_check(queue->device) != VK_SUCCESS)
        return cmd_error(VK_ERROR_DEVICE_LOST);
    return queue->in_order && queue->untold & (ANY_THREAD | command->thread) ? queue->error
                                                                             : CL_SUCCESS;
}

// A ready command of the device, under the queue's own lock. The result is an error only where
// nothing was recorded.
static VkResult start(struct command *command, const struct cmd_dep *deps, uint32_t count)
{
    cl_int error = standstill(command);
    if (error) {
        command->queue->error = error;
        command->queue->untold |= command->thread;
        cmd_complete(command, error);
        return VK_SUCCESS;
    }
    return batch_record(command, deps, count);
}

// The queue of one of `deps` that is not submitted yet: what waits for it must be submitted later.
static struct cmd_queue *unsubmitted(const struct cmd_queue *queue, const struct cmd_dep *deps,
                                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (deps[i].command->queue != queue && batch_is_open(deps[i].command))
            return deps[i].command->queue;
    return NULL;
}

// Under the queue's own lock.
static void hold(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    command->state = CMD_HELD;
    held_total += !command->driven;
    if (!queue->held)
        queue->held_last = &queue->held;
    *queue->held_last = command;
    queue->held_last = &command->next;
    command->next = NULL;
    if (!command->driven)
        cmd_thread_wake();
}

void cmd_leave(struct command *command)
{
    if (command->driven && command->state == CMD_HELD)
        held_total++;
    command->driven = false;
}

// Takes a held command out of its queue's list.
static void unhold(struct cmd_queue *queue, struct command **at)
{
    struct command *command = *at;
    *at = command->next;
    if (!command->next)
        queue->held_last = at;
    command->next = NULL;
    command->state = CMD_NEW;
    held_total -= !command->driven;
}

// Under the queue's own lock, which it gives back.
static void start_held(struct cmd_queue *queue, struct command **at, enum ready ready)
{
    struct command *command = *at;
    unhold(queue, at);
    if (ready == READY && on_host(command) && !standstill(command)) {
        begin_on_host(command);
        cmd_queue_give(queue);
        run_on_host(command);
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

// The first held command that can start; NULL: none, and the thread is told what only it may do.
static struct command **find_startable(struct cmd_queue *queue, bool on_thread, enum ready *ready)
{
    for (struct command **at = &queue->held; *at; at = &(*at)->next) {
        struct command *command = *at;
        *ready = command_ready(command, command->deps, command->dep_count, true);
        if (*ready != HOLD && (on_thread || *ready == FAILED || command->ops->place != CMD_THREAD))
            return at;
        if (*ready != HOLD)
            cmd_thread_wake();
        if (queue->in_order)
            return NULL;
    }
    return NULL;
}

// Starts the first held command that can be. False: none can, and the lock was not given up.
static bool start_one_held(struct cmd_queue *queue, bool on_thread)
{
    enum ready ready;
    bool at_once = cmd_queue_take(queue);
    struct command **at = find_startable(queue, on_thread, &ready);
    struct cmd_queue *other =
        at && ready == READY ? unsubmitted(queue, (*at)->deps, (*at)->dep_count) : NULL;
    if (at && !other) {
        start_held(queue, at, ready);
        return true;
    }
    cmd_queue_give(queue);
    if (other)
        batch_flush(other);
    return other || !at_once;
}

// One step on one queue; may have given the lock up when true.
static bool queue_progress(struct cmd_queue *queue, bool on_thread)
{
    if (batch_retire(queue))
        return true;
    if (!queue->held)
        return false;
    bool started = false;
    while (start_one_held(queue, on_thread))
        started = true;
    if (started) {
        batch_flush(queue);
        cmd_tell_sleepers();
    }
    return started;
}

bool cmd_progress(bool on_thread)
{
    bool any = false;
    if (gate_ended())
        return false;
    for (struct cmd_queue *queue = all_queues; queue;) {
        queue->waiters++; // stays while we are without the lock
        bool some = queue_progress(queue, on_thread);
        queue->waiters--;
        struct cmd_queue *next = queue->next;
        cmd_queue_maybe_destroy(queue);
        any |= some;
        // The list may have changed: from the start again.
        queue = some ? all_queues : next;
    }
    return any;
}

bool cmd_watched(void)
{
    return held_total || orphans || cmd_callbacks_waiting;
}

struct cmd_queue *cmd_oldest_flying(void)
{
    struct cmd_queue *best = NULL;
    for (struct cmd_queue *queue = all_queues; queue; queue = queue->next)
        if (queue->flying && !queue->retiring)
            best = queue;
    return best;
}

uint64_t cmd_flying_value(const struct cmd_queue *queue)
{
    return queue->flying->value;
}

void cmd_flush_all(const struct vk_device *device)
{
    for (struct cmd_queue *queue = all_queues, *next; queue; queue = next) {
        queue->waiters++;
        if (queue->device == device)
            batch_flush(queue);
        queue->waiters--;
        next = queue->next;
        cmd_queue_maybe_destroy(queue);
    }
}

uint64_t cmd_flush_due(void)
{
    uint64_t first = 0, now = thread_now_ns();
    for (struct cmd_queue *queue = all_queues, *next; queue; queue = next) {
        queue->waiters++;
        if (queue->flush_at && queue->flush_at <= now) {
            queue->flush_at = 0;
            batch_flush(queue);
        }
        if (queue->flush_at && (!first || queue->flush_at < first))
            first = queue->flush_at;
        queue->waiters--;
        next = queue->next;
        cmd_queue_maybe_destroy(queue);
    }
    return first;
}

bool cmd_flying_on(const struct vk_device *device, struct cmd_queue **out)
{
    for (struct cmd_queue *queue = all_queues; queue; queue = queue->next)
        if (queue->device == device && queue->flying && !queue->retiring) {
            *out = queue;
            return true;
        }
    return false;
}

// ---- enqueueing ---------------------------------------------------------------------------------

struct dep_list {
    struct cmd_dep *items; // counted
    uint32_t count, capacity;
    struct cmd_dep few[16];
};

static void deps_init(struct dep_list *list)
{
    list->items = list->few;
    list->count = 0;
    list->capacity = sizeof list->few / sizeof list->few[0];
}

static void deps_finish(struct dep_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        cmd_release(list->items[i].command);
    if (list->items != list->few)
        free(list->items);
}

static bool dep_add(struct dep_list *list, struct command *command, bool complete, bool quiet)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity * 2;
        struct cmd_dep *grown = malloc(capacity * sizeof *grown);
        if (!grown)
            return false;
        memcpy(grown, list->items, list->count * sizeof *grown);
        if (list->items != list->few)
            free(list->items);
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = (struct cmd_dep){cmd_retain(command), complete, quiet};
    return true;
}

// All that the command must follow: its wait list, unfinished writers of the host memory that it
// reads, and for an out-of-order queue's marker what is held there.
static bool collect_deps(const struct cmd_request *request, const struct command *command,
                         struct dep_list *list)
{
    struct cmd_queue *queue = command->queue;
    for (uint32_t i = 0; i < request->wait_count; i++)
        if (!dep_add(list, request->waits[i], false, false))
            return false;
    for (struct command *w = command->host_end ? writers : NULL; w; w = w->writer_next)
        if (w->host_begin < command->host_end && command->host_begin < w->host_end &&
            (!command->host_writes || w->queue != queue))
            if (!dep_add(list, w, true, true))
                return false;
    if (queue->in_order)
        return true;
    if (queue->last_barrier && queue->last_barrier->state != CMD_DONE &&
        !dep_add(list, queue->last_barrier, false, true))
        return false;
    if (!command->after_all)
        return true;
    for (struct command *c = queue->held; c; c = c->next)
        if (!dep_add(list, c, false, true))
            return false;
    for (struct command *c = queue->running; c; c = c->next)
        if (!dep_add(list, c, false, true))
            return false;
    return true;
}

// True when the host memory that `command` reads may be read right now: nothing that the command
// must follow can still change it.
bool cmd_may_read_host(const struct cmd_request *request, const struct command *command)
{
    struct cmd_queue *queue = request->queue;
    cmd_lock();
    bool may = !queue->held && !queue->running;
    if (kernels_touch_host && queue->in_order)
        may &= !queue->open && !queue->flying && !queue->retiring;
    for (uint32_t i = 0; i < request->wait_count; i++)
        may &= request->waits[i]->state == CMD_DONE ||
               (request->waits[i]->state == CMD_RECORDED && !kernels_touch_host);
    for (struct command *w = writers; w && may; w = w->writer_next)
        may = w->host_end <= command->host_begin || command->host_end <= w->host_begin;
    cmd_unlock();
    return may;
}

static VkResult hold_with(struct command *command, const struct dep_list *list)
{
    command->deps = list->count ? malloc(list->count * sizeof *command->deps) : NULL;
    if (list->count && !command->deps)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < list->count; i++) {
        command->deps[i] = list->items[i];
        cmd_retain(list->items[i].command);
    }
    command->dep_count = list->count;
    hold(command);
    return VK_SUCCESS;
}

// Takes the queue's own lock at a moment when all that the command waits for is submitted, as far
// as it is recorded.
static void take_for(const struct cmd_request *request, struct cmd_queue *queue)
{
    cmd_queue_take(queue);
    for (uint32_t i = 0; i < request->wait_count; i++) {
        struct cmd_queue *other = request->waits[i]->queue;
        if (other == queue || !batch_is_open(request->waits[i]))
            continue;
        cmd_queue_give(queue);
        batch_flush(other);
        cmd_queue_take(queue);
        i = UINT32_MAX; // from the first again
    }
}

// What a held command waits for goes to the device.
static void flush_deps(const struct dep_list *list)
{
    struct cmd_queue *other;
    while ((other = unsubmitted(NULL, list->items, list->count)))
        batch_flush(other);
}

// A full batch is, or some commands that an idle device could work on (looking costs a call of the
// driver: not for each of them). Under the queue's own lock.
static bool worth_submitting(struct cmd_queue *queue)
{
    const struct cmd_batch *open = queue->open;
    bool printed = atomic_load(&cmd_printf_buffers) > PRINTF_BUFFERS;
    return open && (open->count >= BATCH_COMMANDS || printed ||
                    (open->count >= queue->threshold && open->count % LOOK_EVERY == 0 &&
                     batch_device_idle(queue)));
}

// Each submission makes the next batch longer: a stream of small commands costs few of them.
static bool submit_if_worth(struct cmd_queue *queue)
{
    if (!worth_submitting(queue))
        return false;
    if (queue->threshold < 64)
        queue->threshold *= 2;
    batch_submit(queue);
    return true;
}

// What to do once the queue's own lock is given back.
struct rest {
    bool run, flush, submitted;
};

// Under both locks.
static VkResult start_or_hold(struct command *command, const struct dep_list *list, bool blocking,
                              struct rest *rest)
{
    struct cmd_queue *queue = command->queue;
    VkResult result = VK_SUCCESS;
    kernels_touch_host |= command->any_host;
    if (command->host_writes)
        writer_add(command);
    enum ready ready = command_ready(command, list->items, list->count, !queue->held);
    if (ready == FAILED) {
        cmd_complete(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    } else if (ready == HOLD || command->ops->place == CMD_THREAD) {
        rest->flush = needs_all_complete(command);
        result = hold_with(command, list);
    } else if (on_host(command) && !standstill(command)) {
        begin_on_host(command);
        rest->run = true;
    } else {
        result = start(command, list->items, list->count);
        if (result == VK_SUCCESS && !blocking)
            rest->submitted = submit_if_worth(queue);
    }
    if (result == VK_SUCCESS)
        set_barrier(command);
    else if (command->host_writes)
        writer_remove(command);
    return result;
}

static VkResult put(const struct cmd_request *request, struct command *command, struct rest *rest)
{
    struct cmd_queue *queue = command->queue;
    struct dep_list list;
    deps_init(&list);
    take_for(request, queue);
    VkResult result = collect_deps(request, command, &list)
                          ? start_or_hold(command, &list, request->blocking, rest)
                          : VK_ERROR_OUT_OF_HOST_MEMORY;
    bool held = command->state == CMD_HELD;
    cmd_queue_give(queue);
    if (rest->run)
        run_on_host(command);
    if (held)
        flush_deps(&list);
    if (rest->flush)
        batch_flush(queue);
    deps_finish(&list);
    return result;
}

// An application that never waits must not fill the memory with commands.
static void wait_for_room(struct cmd_queue *queue)
{
    while (
        queue->flying &&
        (queue->flying_count > FLYING_MAX || atomic_load(&cmd_printf_buffers) > PRINTF_BUFFERS) &&
        !queue->retiring && !gate_ended() && vk_device_check(queue->device) == VK_SUCCESS) {
        cmd_wait_flying(queue, queue->flying->value, CMD_SLICE_NS, true);
        batch_retire(queue);
    }
}

// ---- the short way ------------------------------------------------------------------------------

static bool syncs(const struct cmd_queue *queue)
{
    return option_on(OPTION_SYNC) && !queue->concurrent;
}

// Most commands go into an open batch, behind others, and wait for nothing: the queue's own lock is
// enough for them, and threads with queues of their own do not meet.
static bool may_append(const struct cmd_request *request, const struct command *command)
{
    return !request->wait_count && !request->blocking && command->ops->place == CMD_DEVICE &&
           !command->host_end && !command->any_host && !syncs(request->queue);
}

static bool has_room(const struct cmd_queue *queue)
{
    return queue->open && queue->open->count < BATCH_COMMANDS && !queue->held && !queue->running &&
           !queue->untold && (queue->in_order || !queue->last_barrier);
}

// Out of the inbox, under both locks; may give the process's up.
static void put_list(struct cmd_queue *queue, struct command *list)
{
    const struct dep_list none = {.count = 0};
    struct rest rest = {false, false, false};
    while (list) {
        struct command *command = list;
        list = list->next;
        command->next = NULL;
        VkResult result = start_or_hold(command, &none, false, &rest);
        if (result != VK_SUCCESS)
            cmd_queue_fail(queue, command, cmd_error(result));
        queue->inbox_count--;
    }
}

// Out of the inbox, as far as the queue's own lock is enough; returns the rest.
static struct command *append_list(struct cmd_queue *queue, struct command *list)
{
    while (list && has_room(queue) && !worth_submitting(queue)) {
        struct command *next = list->next;
        VkResult result = batch_append(list);
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

// What needs both locks. Gives the queue's own one back.
static void finish_append(struct cmd_queue *queue, struct command *list)
{
    if (!list && !worth_submitting(queue)) {
        pthread_mutex_unlock(&queue->lock);
        return;
    }
    cmd_lock();
    queue->waiters++;
    put_list(queue, list);
    submit_if_worth(queue);
    cmd_queue_give(queue);
    batch_retire(queue);
    wait_for_room(queue);
    cmd_unlock();
}

// False: the command takes the long way.
static bool enqueue_short(const struct cmd_request *request, struct command *command,
                          VkResult *result)
{
    struct cmd_queue *queue = request->queue;
    if (pthread_mutex_trylock(&queue->lock)) {
        if (!request->out && queue->inbox_count < INBOX_MOST) {
            put_in_inbox(queue, command);
            return true;
        }
        thread_lock(&queue->lock);
    }
    struct command *list = append_list(queue, take_inbox(queue));
    bool fits = !list && has_room(queue);
    if (fits) {
        *result = batch_append(command);
        if (*result == VK_SUCCESS && request->out)
            *request->out = cmd_retain(command);
    }
    finish_append(queue, list);
    return fits;
}

// The process has ended: nothing is done any more, and that is complete.
static cl_int enqueue_ended(const struct cmd_request *request, struct command *command)
{
    if (command->timed)
        command->times[TIME_QUEUED] = command->times[TIME_SUBMIT] = thread_now_ns();
    if (request->out)
        *request->out = cmd_retain(command);
    command->host_writes = false; // it is in no list
    cmd_lock();
    cmd_complete(command, CL_COMPLETE);
    cmd_unlock();
    return CL_SUCCESS;
}

cl_int cmd_enqueue(const struct cmd_request *request, struct command *command)
{
    struct cmd_queue *queue = request->queue;
    struct rest rest = {false, false, false};
    VkResult result = vk_device_check(queue->device);
    bool sync = syncs(queue);
    command->driven = request->blocking;
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
    cmd_retain(command); // ours, for the time after it may be complete
    cmd_lock();
    cl_int error = queue->in_order ? cmd_queue_take_error(queue) : CL_SUCCESS;
    if (!error)
        error = cmd_error(put(request, command, &rest));
    if (error) {
        cmd_unlock();
        cmd_release(command);
        cmd_drop(command);
        return error;
    }
    if (request->out)
        *request->out = cmd_retain(command);
    bool wait = request->blocking || (sync && command->state != CMD_HELD);
    if (wait)
        cmd_wait_for(command);
    else if (rest.submitted)
        batch_retire(queue);
    if (request->blocking)
        cmd_callbacks_settle(queue);
    wait_for_room(queue);
    cl_int status = request->blocking ? atomic_load(&command->status) : CL_COMPLETE;
    if (status < 0 && status == queue->error)
        cmd_queue_take_error(queue);
    cmd_unlock();
    cmd_release(command);
    return status < 0 ? status : CL_SUCCESS;
}

// ---- the list of queues -------------------------------------------------------------------------

void cmd_queue_link(struct cmd_queue *queue)
{
    queue->next = all_queues;
    if (all_queues)
        all_queues->prev = queue;
    all_queues = queue;
}

void cmd_queue_fail(struct cmd_queue *queue, struct command *list, cl_int error)
{
    queue->error = error;
    queue->untold |= ANY_THREAD;
    for (struct command *c = list; c; c = c->next)
        queue->untold |= c->thread;
    cmd_complete_list(list, error);
}

cl_int cmd_queue_take_error(struct cmd_queue *queue)
{
    uint64_t asking = ANY_THREAD | thread_bit();
    bool tell = queue->untold & asking;
    queue->untold &= ~asking;
    return tell ? queue->error : CL_SUCCESS;
}

void cmd_queue_orphan(struct cmd_queue *queue)
{
    queue->released = true;
    orphans++;
    cmd_queue_maybe_destroy(queue);
    if (orphans)
        cmd_thread_wake();
}
