// SPDX-License-Identifier: Apache-2.0
// Ready commands -> one Vulkan command buffer -> a submission -> completed commands.
//
// A batch waits for other queues' timelines at its start, so a command with a new wait begins a new
// batch. Its dependencies have always been submitted before: no submission ever waits for an open
// batch.
//
// Long copies between host memory and buffers go to a VkQueue of the copy family, in batches of
// their own, where that lets them run beside kernels. A batch on another VkQueue than the one before
// waits for that one's value, so a command queue's batches always run in order.
//
// A batch is done when its queue's timeline says so. This makes memory accesses correct (Vulkan
// 7.4, "Semaphores", and appendix B, "Availability and Visibility"): the signal makes all earlier
// writes available, on any queue. A batch that waits for it, on the device or because the host has
// seen the value before submitting, comes after those writes, and each batch begins with a full
// barrier that makes them visible. (If timelines are emulated with fences, there is only one
// VkQueue and the barrier is enough.) Host reads also need a barrier to the host
// (`for_host`), because semaphores do not cover it; host writes are made visible by the submission
// itself. A completion word written by the batch would be visible earlier, but would order nothing.
#include "command/batch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

// ---- opening ------------------------------------------------------------------------------------

static struct cmd_batch *batch_new(struct cmd_queue *queue, bool apart)
{
    struct vk_device *device = queue->device;
    struct cmd_batch *batch = calloc(1, sizeof *batch);
    VkResult result = batch ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (apart && !queue->copy_pool && result == VK_SUCCESS)
        result = vk_pool_create(device, device->facts->copy_family, &queue->copy_pool);
    if (result == VK_SUCCESS)
        result = vk_commands_create(device, apart ? queue->copy_pool : queue->pool, &batch->commands);
    if (result != VK_SUCCESS) {
        free(batch);
        return NULL;
    }
    batch->apart = apart;
    return batch;
}

// The first batch from the completion thread (batch_warm_up()), if it is ready, or a new one.
static struct cmd_batch *batch_first(struct cmd_queue *queue)
{
    struct cmd_batch *batch = atomic_exchange(&queue->warm, NULL);
    return batch ? batch : batch_new(queue, false);
}

static struct cmd_batch **free_list(struct cmd_queue *queue, bool apart)
{
    return apart ? &queue->free_copy_batches : &queue->free_batches;
}

static struct cmd_batch *batch_take(struct cmd_queue *queue, bool apart)
{
    struct cmd_batch **list = free_list(queue, apart), *batch = *list;
    if (!batch)
        return apart ? batch_new(queue, true) : batch_first(queue);
    *list = batch->next;
    return batch;
}

static void batch_recycle(struct cmd_queue *queue, struct cmd_batch *batch)
{
    struct cmd_batch **list = free_list(queue, batch->apart);
    batch->next = *list;
    *list = batch;
}

static void barrier(struct cmd_queue *queue, const struct cmd_batch *batch)
{
    if (batch->apart)
        vk_commands_copy_barrier(queue->device, batch->commands);
    else
        vk_commands_barrier(queue->device, batch->commands);
}

// Begins a batch's command buffer.
static VkResult begin(struct cmd_queue *queue, struct cmd_batch *batch)
{
    VkResult result = vk_commands_begin(queue->device, batch->commands);
    cmd_batch_forget(batch);
    if (result == VK_SUCCESS && queue->timing)
        result = cmd_profile_begin_batch(queue, batch);
    if (result == VK_SUCCESS)
        barrier(queue, batch);
    return result;
}

void batch_prepare(struct cmd_queue *queue)
{
    if (queue->prepared || pthread_mutex_trylock(&queue->lock))
        return;
    struct cmd_batch *batch = queue->free_batches;
    if (batch)
        queue->free_batches = batch->next;
    pthread_mutex_unlock(&cmd_mutex);
    if (!batch)
        batch = batch_first(queue);
    bool begun = batch && begin(queue, batch) == VK_SUCCESS;
    pthread_mutex_lock(&cmd_mutex);
    if (begun)
        queue->prepared = batch;
    else if (batch)
        batch_recycle(queue, batch);
    pthread_mutex_unlock(&queue->lock);
}

// A driver's first submission on a VkQueue takes some 100 us more, on the host and on the device: it
// is an empty one.
static void first_submission(struct cmd_queue *queue, const struct cmd_batch *batch)
{
    struct vk_device *device = queue->device;
    struct vk_timeline *timeline;
    if (atomic_exchange(&queue->vk->used, true) || vk_timeline_create(device, &timeline) != VK_SUCCESS)
        return;
    uint64_t value = timeline->value + 1;
    VkResult result = vk_submit(device, queue->vk, batch->commands, NULL, 0, NULL, timeline, value);
    if (result == VK_SUCCESS)
        vk_timeline_wait(device, timeline, value, UINT64_MAX);
    vk_timeline_release(device, timeline, result == VK_SUCCESS ? value : timeline->value);
}

// While the completion thread is inside the driver; a fork waits for its end.
static pthread_mutex_t warming = PTHREAD_MUTEX_INITIALIZER;

void batch_fork(enum cmd_fork when)
{
    if (when == CMD_FORK_BEFORE)
        pthread_mutex_lock(&warming);
    else
        pthread_mutex_unlock(&warming);
}

// The batch has its own command pool, so that other threads can use the queue meanwhile.
void batch_warm_up(struct cmd_queue *queue)
{
    struct vk_device *device = queue->device;
    struct cmd_batch *batch = calloc(1, sizeof *batch);
    VkCommandPool pool = VK_NULL_HANDLE;
    pthread_mutex_unlock(&cmd_mutex);
    pthread_mutex_lock(&warming);
    bool made = batch && vk_pool_create(device, device->facts->queue_family, &pool) == VK_SUCCESS &&
                vk_commands_create(device, pool, &batch->commands) == VK_SUCCESS &&
                vk_commands_begin(device, batch->commands) == VK_SUCCESS &&
                (!queue->timing || cmd_profile_begin_batch(queue, batch) == VK_SUCCESS) &&
                vk_commands_end(device, batch->commands) == VK_SUCCESS;
    if (made)
        first_submission(queue, batch);
    else if (pool)
        device->fn.DestroyCommandPool(device->handle, pool, NULL);
    pthread_mutex_unlock(&warming);
    pthread_mutex_lock(&cmd_mutex);
    if (!made) {
        if (batch)
            cmd_profile_free(queue, batch);
        free(batch);
        return;
    }
    queue->warm_pool = pool;
    atomic_store(&queue->warm, batch);
}

static bool has_wait(const struct cmd_batch *batch, const struct vk_timeline *timeline, uint64_t value)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        if (batch->waits[i].timeline == timeline && batch->waits[i].value >= value)
            return true;
    return false;
}

static void add_wait(struct cmd_batch *batch, struct vk_timeline *timeline, uint64_t value)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        if (batch->waits[i].timeline == timeline) {
            if (batch->waits[i].value < value)
                batch->waits[i].value = value;
            return;
        }
    batch->waits[batch->wait_count++] = (struct vk_wait){timeline, value};
}

static VkResult batch_open(struct cmd_queue *queue, bool apart)
{
    struct cmd_batch *batch = apart ? NULL : queue->prepared;
    if (batch) {
        queue->prepared = NULL;
    } else {
        batch = batch_take(queue, apart);
        VkResult result = batch ? begin(queue, batch) : VK_ERROR_OUT_OF_HOST_MEMORY;
        if (batch && result != VK_SUCCESS)
            batch_recycle(queue, batch);
        if (result != VK_SUCCESS)
            return result;
    }
    batch->next = NULL;
    batch->value = queue->next_value;
    batch->count = batch->query_count = batch->wait_count = 0;
    batch->kind = 0;
    batch->first = NULL;
    batch->last = &batch->first;
    batch->beside = apart && atomic_load_explicit(&queue->device->computing, memory_order_relaxed);
    batch->for_host = batch->first_run = batch->unstamped = false;
    batch->end_query = -1;
    batch->binaries = NULL;
    queue->hazard_count = 0;
    queue->hazard_all = false;
    queue->epoch++;
    queue->open = batch;
    atomic_store_explicit(&queue->open_threads, 0, memory_order_relaxed);
    if (apart != queue->sent_apart && queue->in_flight) // else submission order and the barrier suffice
        add_wait(batch, queue->timeline, queue->next_value - 1);
    cmd_flush_when_quiet(queue);
    return VK_SUCCESS;
}

// ---- waits and barriers -------------------------------------------------------------------------

bool batch_is_open(const struct command *command)
{
    return command->state == CMD_RECORDED && command->queue->open &&
           command->queue->open->value == command->value;
}

// Adds the waits for `deps` in other queues to the open batch, or to a new one.
static VkResult wait_for_others(struct cmd_queue *queue, bool apart, const struct cmd_dep *deps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct command *dep = deps[i].command;
        VkResult result = VK_SUCCESS;
        if (dep->state != CMD_RECORDED || dep->queue == queue)
            continue;
        assert(!batch_is_open(dep));
        bool has = queue->open && has_wait(queue->open, dep->queue->timeline, dep->value);
        if (queue->open && !has && (queue->open->count || queue->open->wait_count == VK_WAIT_MAX))
            result = batch_submit(queue);
        if (result == VK_SUCCESS && !queue->open)
            result = batch_open(queue, apart);
        if (result != VK_SUCCESS)
            return result;
        if (dep->state == CMD_RECORDED) // it may have completed meanwhile
            add_wait(queue->open, dep->queue->timeline, dep->value);
    }
    return VK_SUCCESS;
}

static bool overlaps(const struct cmd_access *a, const struct cmd_access *b)
{
    return a->begin < b->end && b->begin < a->end && (a->write || b->write);
}

static bool has_hazard(const struct cmd_queue *queue, const struct command *command)
{
    if (queue->hazard_all || (command->all_memory && queue->hazard_count))
        return true;
    if (queue->hazard_count + command->access_count > HAZARDS)
        return true;
    for (uint32_t i = 0; i < command->access_count; i++)
        for (uint32_t j = 0; j < queue->hazard_count; j++)
            if (overlaps(&command->access_list[i], &queue->hazards[j]))
                return true;
    return false;
}

static void add_hazards(struct cmd_queue *queue, const struct command *command)
{
    if (command->all_memory || command->access_count > HAZARDS) {
        queue->hazard_all = true;
        return;
    }
    for (uint32_t i = 0; i < command->access_count; i++)
        queue->hazards[queue->hazard_count++] = command->access_list[i];
}

// In an out-of-order queue only events and barriers order commands.
static bool follows_recent(const struct cmd_queue *queue, const struct cmd_dep *deps,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (deps[i].command->state == CMD_RECORDED && deps[i].command->queue == queue &&
            deps[i].command->epoch == queue->epoch)
            return true;
    return false;
}

static void put_barrier(struct cmd_queue *queue)
{
    barrier(queue, queue->open);
    queue->hazard_count = 0;
    queue->hazard_all = false;
    queue->epoch++;
}

// ---- recording ----------------------------------------------------------------------------------

static void list_append(struct cmd_batch *batch, struct command *command)
{
    command->next = NULL;
    command->timeline = command->queue->timeline;
    command->value = batch->value;
    *batch->last = command;
    batch->last = &command->next;
    batch->count++;
    cmd_batch_add_kind(batch, (uintptr_t)command->ops);
    atomic_uint_least64_t *threads = &command->queue->open_threads;
    uint64_t before = atomic_load_explicit(threads, memory_order_relaxed);
    atomic_store_explicit(threads, before | command->thread, memory_order_relaxed);
}

static bool any_foreign(const struct cmd_queue *queue, const struct cmd_dep *deps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (deps[i].command->state == CMD_RECORDED && deps[i].command->queue != queue)
            return true;
    return false;
}

// A command that only orders others joins the queue's last batch in flight.
static bool ride_along(struct cmd_queue *queue, struct command *command)
{
    struct cmd_batch *last = queue->in_flight;
    if (queue->open)
        return false;
    while (last && last->next)
        last = last->next;
    if (!last && queue->retiring)
        return false;
    command->epoch = queue->epoch;
    cmd_set_state(command, CMD_RECORDED);
    cmd_check_dependents(command);
    if (last) {
        list_append(last, command);
        command->times[TIME_SUBMIT] = thread_now_ns();
        atomic_store(&command->status, CL_SUBMITTED);
        cmd_callbacks_fire(command, CL_SUBMITTED);
    } else {
        cmd_complete(command, CL_COMPLETE);
    }
    return true;
}

// Needs only the queue's own lock. `recent`: the command depends on one after the last barrier.
static VkResult record(struct command *command, bool recent)
{
    struct cmd_queue *queue = command->queue;
    struct cmd_batch *batch = queue->open;
    VkResult result = VK_SUCCESS;
    bool hazard = has_hazard(queue, command);
    bool follows = (queue->in_order ? hazard : recent) || (command->needs_barrier && batch->count);
    if (!follows && hazard && queue->hazard_count + command->access_count > HAZARDS)
        queue->hazard_count = 0;
    if (follows)
        put_barrier(queue);
    if (command->ops->record) {
        if (command->timed && command->observed && command->ops->prepare)
            command->ops->prepare(command, batch);
        if (command->timed)
            cmd_profile_start(batch, command);
        result = command->ops->record(command, batch);
        if (command->timed)
            cmd_profile_end(batch, command);
    // it ends when the batch ends
    } else if (command->timed && command->observed && batch->unstamped) {
        cmd_profile_start(batch, command);
        cmd_profile_end(batch, command);
    }
    if (result != VK_SUCCESS)
        return result;
    add_hazards(queue, command);
    batch->for_host |= command->ops->record && !command->device_only;
    return VK_SUCCESS;
}

static void append(struct command *command)
{
    command->epoch = command->queue->epoch;
    cmd_set_state(command, CMD_RECORDED);
    cmd_check_dependents(command); // without cmd_lock it is new and has none
    list_append(command->queue->open, command);
}

bool batch_would_end_early(const struct command *command)
{
    return command->may_be_early &&
           atomic_load_explicit(&command->queue->early_ops, memory_order_relaxed) == command->ops;
}

// The first command of the batch after the command's own, if that is in flight.
static const struct command *first_of_next(const struct command *command)
{
    const struct cmd_batch *batch = command->queue->in_flight;
    while (batch && batch->value <= command->value)
        batch = batch->next;
    return batch ? batch->first : NULL;
}

void batch_learn_wait(const struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (!command->may_be_early || command->state != CMD_RECORDED || batch_is_open(command))
        return;
    const struct command *behind = command->next ? command->next : first_of_next(command);
    if (!behind || behind->ops != &cmd_ops[CMD_NDRANGE])
        return;
    queue->early_left = EARLY_COMMANDS;
    atomic_store_explicit(&queue->early_ops, command->ops, memory_order_relaxed);
}

VkResult batch_append(struct command *command, bool recent)
{
    VkResult result = record(command, recent);
    if (result == VK_SUCCESS)
        append(command);
    return result;
}

// Whether the command goes to the copy queue: if this queue only copies, or another one keeps the
// device busy. Otherwise the way to another queue and back costs some microseconds for nothing.
static bool goes_apart(const struct cmd_queue *queue, const struct command *command)
{
    bool alone = atomic_load_explicit(&queue->device->busy_queues, memory_order_relaxed) <= (queue->in_flight != NULL);
    return queue->copies && command->long_copy && (!queue->mixed || !alone);
}

// A command that ends its batch because the host will probably wait for it.
static bool ends_early(const struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (!batch_would_end_early(command))
        return false;
    if (!--queue->early_left)
        atomic_store_explicit(&queue->early_ops, NULL, memory_order_relaxed);
    return true;
}

VkResult batch_record(struct command *command, const struct cmd_dep *deps, uint32_t dep_count)
{
    struct cmd_queue *queue = command->queue;
    if (command->ops->place == CMD_NOTHING && !any_foreign(queue, deps, dep_count) &&
        ride_along(queue, command))
        return VK_SUCCESS;
    bool apart = goes_apart(queue, command);
    uint32_t most = command->begins_batch ? 1 : BATCH_COMMANDS;
    queue->mixed |= command->ops->place == CMD_DEVICE && !command->long_copy;
    VkResult result = queue->open && queue->open->apart != apart ? batch_submit(queue) : VK_SUCCESS;
    if (result == VK_SUCCESS)
        result = wait_for_others(queue, apart, deps, dep_count);
    if (result == VK_SUCCESS && queue->open && queue->open->count >= most)
        result = batch_submit(queue);
    if (result == VK_SUCCESS && !queue->open)
        result = batch_open(queue, apart);
    if (result != VK_SUCCESS)
        return result;
    bool recent = follows_recent(queue, deps, dep_count);
    pthread_mutex_unlock(&cmd_mutex);
    result = record(command, recent);
    pthread_mutex_lock(&cmd_mutex);
    if (result == VK_SUCCESS)
        append(command);
    if (result == VK_SUCCESS && (command->ends_batch || ends_early(command)))
        batch_submit(queue); // if this fails, the failure is reported for the whole batch
    return result;
}

// ---- submitting ---------------------------------------------------------------------------------

static void mark_submitted(struct cmd_batch *batch, uint64_t now)
{
    for (struct command *c = batch->first; c; c = c->next) {
        c->times[TIME_SUBMIT] = now;
        atomic_store(&c->status, CL_SUBMITTED);
        if (c->callbacks)
            cmd_callbacks_fire(c, CL_SUBMITTED);
    }
}

// Called without the process-wide lock.
static VkResult send(struct cmd_queue *queue, struct cmd_batch *batch)
{
    struct vk_device *device = queue->device;
    pthread_mutex_unlock(&cmd_mutex);
    cmd_profile_last(queue, batch);
    if (batch->for_host)
        vk_commands_host_barrier(device, batch->commands, batch->apart);
    VkResult result = vk_commands_end(device, batch->commands);
    if (result == VK_SUCCESS)
        result = vk_submit(device, batch->apart ? queue->copies : queue->vk, batch->commands, batch->waits, batch->wait_count,
                           batch->binaries, queue->timeline, batch->value);
    pthread_mutex_lock(&cmd_mutex);
    return result;
}

VkResult batch_submit(struct cmd_queue *queue)
{
    struct cmd_batch *batch = queue->open;
    if (!batch)
        return VK_SUCCESS;
    uint64_t now = thread_now_ns();
    if (batch->first_run)
        vk_first_run_begins(queue->device);
    VkResult result = send(queue, batch);
    batch->sent = batch->query_count ? thread_now_ns() : 0;
    queue->open = NULL;
    queue->flush_at = 0;
    queue->flush_asked = false;
    if (result != VK_SUCCESS) {
        if (batch->first_run)
            vk_first_run_ended(queue->device);
        cmd_queue_fail(queue, batch->first, cmd_error(result));
        batch_recycle(queue, batch);
        return result;
    }
    queue->next_value = batch->value + 1;
    queue->sent_apart = batch->apart;
    log_write(LOG_QUEUE, "queue %p: batch %llu: %u commands, %u waits%s", (void *)queue,
              (unsigned long long)batch->value, batch->count, batch->wait_count, batch->apart ? ", on a copy queue" : "");
    mark_submitted(batch, now);
    queue->device->computing += !batch->apart;
    bool idle = !queue->in_flight;
    if (idle) {
        queue->in_flight_last = &queue->in_flight;
        queue->busy_since = now;
        queue->device->busy_queues++;
    }
    *queue->in_flight_last = batch;
    queue->in_flight_last = &batch->next;
    queue->in_flight_count++;
    if (cmd_needs_watching() && idle)
        cmd_thread_interrupt();
    else if (cmd_needs_watching())
        cmd_thread_wake();
    return VK_SUCCESS;
}

void batch_flush(struct cmd_queue *queue)
{
    if ((!queue->open && !queue->inbox_count) || gate_ended())
        return;
    cmd_queue_take(queue);
    batch_submit(queue);
    cmd_queue_give(queue);
}

void batch_flush_awaited(struct cmd_queue *queue)
{
    queue->threshold = FIRST_THRESHOLD;
    batch_flush(queue);
}

// ---- completing ---------------------------------------------------------------------------------

VkResult batch_reached(struct cmd_queue *queue, uint64_t value, bool *reached)
{
    uint64_t at = queue->reached;
    VkResult result = vk_device_check(queue->device);
    if (at < value && result == VK_SUCCESS)
        result = vk_timeline_value(queue->device, queue->timeline, &at);
    if (result == VK_SUCCESS)
        queue->reached = at; // two threads may store at once; an older value is harmless
    *reached = at >= value;
    return result;
}

uint32_t batch_backlog(struct cmd_queue *queue)
{
    bool reached;
    if (queue->in_flight_count)
        batch_reached(queue, queue->next_value - 1, &reached);
    uint64_t last = queue->next_value - 1, at = queue->reached;
    return queue->in_flight_count && last > at ? (uint32_t)(last - at) : 0;
}

// Removes the finished batches from the list of those in flight.
static struct cmd_batch *take_finished(struct cmd_queue *queue, uint64_t value)
{
    struct cmd_batch *done = NULL, **last = &done;
    while (queue->in_flight && queue->in_flight->value <= value) {
        *last = queue->in_flight;
        last = &queue->in_flight->next;
        queue->device->computing -= !queue->in_flight->apart;
        queue->in_flight_count--;
        queue->in_flight = queue->in_flight->next;
    }
    *last = NULL;
    if (!queue->in_flight) {
        queue->in_flight_last = &queue->in_flight;
        queue->device->busy_queues -= done != NULL;
    }
    return done;
}

static bool needs_host(const struct cmd_batch *batch)
{
    if (batch->query_count)
        return true;
    for (const struct command *c = batch->first; c; c = c->next)
        if (c->ops->after && !c->skip_after)
            return true;
    return false;
}

static void host_part(struct cmd_queue *queue, struct cmd_batch *batch)
{
    cmd_profile_batch(queue, batch);
    for (struct command *c = batch->first; c; c = c->next)
        if (c->ops->after)
            c->ops->after(c);
}

bool batch_retire(struct cmd_queue *queue)
{
    bool reached;
    if (!queue->in_flight || queue->retiring || gate_ended())
        return false;
    VkResult result = batch_reached(queue, queue->in_flight->value, &reached);
    if (result == VK_ERROR_DEVICE_LOST) {
        batch_fail_all(queue);
        return true;
    }
    if (result != VK_SUCCESS || !reached)
        return false;
    struct cmd_batch *done = take_finished(queue, queue->reached);
    queue->busy_since = thread_now_ns();
    bool outside = false;
    for (struct cmd_batch *b = done; b; b = b->next) {
        outside |= needs_host(b);
        if (b->first_run)
            vk_first_run_ended(queue->device);
    }
    if (outside) {
        queue->retiring = true;
        pthread_mutex_unlock(&cmd_mutex);
        for (struct cmd_batch *b = done; b; b = b->next)
            host_part(queue, b);
        pthread_mutex_lock(&cmd_mutex);
        queue->retiring = false;
        cmd_wake_sleepers();
    }
    while (done) {
        struct cmd_batch *batch = done;
        done = done->next;
        cmd_complete_list(batch->first, CL_COMPLETE);
        batch->first = NULL;
        batch_recycle(queue, batch);
    }
    return true;
}

static void fail(struct cmd_queue *queue, struct cmd_batch *batch, cl_int error)
{
    cmd_complete_list(batch->first, error);
    batch->first = NULL;
    batch_recycle(queue, batch);
}

void batch_fail_all(struct cmd_queue *queue)
{
    cl_int error = cmd_error(VK_ERROR_DEVICE_LOST);
    cmd_queue_take(queue);
    struct cmd_batch *in_flight = queue->in_flight, *open = queue->open;
    struct command *held = queue->held;
    queue->device->busy_queues -= in_flight != NULL;
    queue->in_flight = queue->open = NULL;
    queue->held = NULL;
    queue->in_flight_last = &queue->in_flight;
    queue->in_flight_count = 0;
    queue->held_last = &queue->held;
    for (struct cmd_batch *next; in_flight; in_flight = next) {
        next = in_flight->next;
        queue->device->computing -= !in_flight->apart;
        fail(queue, in_flight, error);
    }
    if (open)
        fail(queue, open, error);
    cmd_complete_list(held, error);
    cmd_queue_give(queue);
}

static void free_batches(struct cmd_queue *queue, struct cmd_batch *batch)
{
    for (struct cmd_batch *next; batch; batch = next) {
        next = batch->next;
        cmd_profile_free(queue, batch);
        free(batch);
    }
}

void batch_destroy_all(struct cmd_queue *queue)
{
    assert(!queue->open && !queue->in_flight);
    struct cmd_batch *warm = atomic_exchange(&queue->warm, NULL);
    if (warm)
        batch_recycle(queue, warm);
    if (queue->prepared)
        batch_recycle(queue, queue->prepared);
    free_batches(queue, queue->free_batches);
    free_batches(queue, queue->free_copy_batches);
}
