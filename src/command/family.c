// SPDX-License-Identifier: Apache-2.0
// Kernels that enqueue kernels. A launch and all its descendants form a family, which is one
// command of its queue.
//
// A family runs on an internal out-of-order queue, one generation after the other. Its kernels
// write records of enqueued kernels to memory shared with the host (kc.h: struct kc_enqueued). A
// step, the last command of a generation, is where the host reads the records: those that are ready
// become the next generation, in one submission, and the others wait. When none are left, the
// family's command is complete and the commands behind it in its queue may start. No thread blocks
// for this: the thread that sees the device reach a step (a waiting caller or the completion thread)
// creates the next one. Only one step is in flight at a time, so only one thread processes a
// family, and its memory is accessed either by the device or by the host.
//
// A launch is complete when its kernel has ended and its children are complete (OpenCL 3.2.3); only
// then is its event set. A failed launch makes its parent fail, up to the family's command.
#include "command/family_records.h"

#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "command/kernel.h"
#include "command/own_kernels.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum {
    POOL_MAX = 4,   // idle families that are kept for the next launches
    PRINTERS = 32,  // launches with printf in one step: each has a buffer of its own
    TRIES = 4,      // attempts to submit a step
    SAME_STEP = 16, // launches of the same step that one launch may wait for
    ARGS = 16,      // kernel arguments without an allocation
};

struct step {
    struct command base;
    struct cmd_family *family;
    bool done;
};

// ---- the pool of families -----------------------------------------------------------------------

static void family_destroy(struct cmd_family *f)
{
    cmd_queue_release(f->queue);
    vk_buffer_destroy(&f->memory);
    free(f->event_states);
    free(f->taken);
    free(f->live.items);
    free(f->running.items);
    free(f->waiting.items);
    free(f->unused.items);
    free(f->nodes);
    free(f);
}

void cmd_families_free(struct cmd_families *families)
{
    while (families->first) {
        struct cmd_family *next = families->first->next;
        family_destroy(families->first);
        families->first = next;
    }
}

static cl_int family_create(struct vk_device *device, bool timed, uint32_t bytes,
                            struct cmd_family **out)
{
    struct cmd_family *f = calloc(1, sizeof *f);
    cl_command_queue_properties profiling = timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    if (!f)
        return CL_OUT_OF_HOST_MEMORY;
    f->bytes = bytes;
    f->event_states = calloc(CMD_DEVICE_EVENTS, sizeof *f->event_states);
    cl_int result = f->event_states ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (result == CL_SUCCESS)
        result =
            cmd_error(vk_buffer_create(device, VK_MEMORY_READBACK, family_lay_out(f, NULL), &f->memory));
    if (result == CL_SUCCESS)
        result =
            cmd_queue_create(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | profiling, &f->queue);
    if (result != CL_SUCCESS) {
        family_destroy(f);
        return result;
    }
    family_lay_out(f, f->memory.host);
    *out = f;
    return CL_SUCCESS;
}

static bool fits(const struct cmd_family *f, bool timed, uint32_t bytes)
{
    return f->queue->profiling == timed && f->bytes == bytes;
}

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static cl_int family_take(struct vk_device *device, bool timed, uint32_t bytes,
                          struct cmd_family **out)
{
    struct cmd_families *pool = cmd_own_families(device);
    struct cmd_family *f = NULL;
    if (!pool)
        return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&pool_lock);
    for (struct cmd_family **at = &pool->first; *at && !f; at = &(*at)->next)
        if (fits(*at, timed, bytes)) {
            f = *at;
            *at = f->next;
            pool->count--;
            break;
        }
    pthread_mutex_unlock(&pool_lock);
    *out = f;
    return f ? CL_SUCCESS : family_create(device, timed, bytes, out);
}

static void family_give(struct cmd_family *f)
{
    struct vk_device *device = f->queue->device;
    struct cmd_families *pool =
        vk_device_check(device) == VK_SUCCESS ? cmd_own_families(device) : NULL;
    pthread_mutex_lock(&pool_lock);
    bool keep = pool && pool->count < POOL_MAX;
    if (keep) {
        f->next = pool->first;
        pool->first = f;
        pool->count++;
    }
    pthread_mutex_unlock(&pool_lock);
    if (!keep)
        family_destroy(f);
}

// ---- launching ----------------------------------------------------------------------------------

// The checks of clEnqueueNDRangeKernel(); cmd_ndrange() does the rest.
static cl_int take_range(const struct kc_enqueue *record, const struct kc_program *program,
                         struct cmd_ndrange *range)
{
    bool given = false;
    range->dims = record->work_dim;
    for (uint32_t i = 0; i < record->work_dim; i++)
        given |= record->local_size[i] != 0;
    for (uint32_t i = 0; i < record->work_dim; i++) {
        range->global[i] = record->global_size[i];
        range->offset[i] = record->global_offset[i];
        range->local[i] = record->local_size[i];
        if (range->offset[i] + range->global[i] < range->offset[i])
            return CL_INVALID_GLOBAL_OFFSET;
        if (given && (!range->local[i] || range->local[i] > UINT32_MAX))
            return CL_INVALID_WORK_GROUP_SIZE;
        if (given && program->uniform_work_groups && range->global[i] % range->local[i])
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

// The command holds the program's code, because it may outlive the family.
static cl_int enqueue_node(struct cmd_family *f, uint32_t id, struct cmd_ndrange *range,
                           struct command *const *waits, uint32_t wait_count)
{
    const struct cmd_enqueuer *enqueuer = &f->parent->enqueuer;
    const struct cmd_hold hold = {enqueuer->code, enqueuer->drop};
    const struct cmd_request request = {.queue = f->queue,
                                        .waits = waits,
                                        .wait_count = wait_count,
                                        .holds = &hold,
                                        .hold_count = 1,
                                        .out = &f->nodes[id].command};
    range->any_memory = true;
    enqueuer->use(enqueuer->code);
    cl_int result = cmd_ndrange(&request, range);
    if (result != CL_SUCCESS)
        enqueuer->drop(enqueuer->code);
    return result;
}

static cl_int launch_block(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record,
                           struct command *const *waits, uint32_t wait_count)
{
    const struct kc_program *program = f->parent->program;
    const struct kc_kernel *info = &program->kernels[record->kernel];
    struct cmd_arg few[ARGS],
        *args = info->arg_count > ARGS ? malloc(info->arg_count * sizeof *args) : few;
    struct cmd_ndrange range = {.args = args,
                                .data = f->parent->data,
                                .program = program,
                                .enqueued = f->memory.address,
                                .launch = id};
    if (!args)
        return CL_OUT_OF_HOST_MEMORY;
    family_take_args(f, info, record, args);
    cl_int result = take_range(record, program, &range);
    if (result == CL_SUCCESS && !family_keep_images(&f->nodes[id], info, args))
        result = CL_OUT_OF_HOST_MEMORY;
    if (result == CL_SUCCESS)
        result = f->parent->enqueuer.kernel(f->parent->enqueuer.code, (uint32_t)record->kernel,
                                            &range.kernel);
    if (result == CL_SUCCESS)
        result = enqueue_node(f, id, &range, waits, wait_count);
    if (result != CL_SUCCESS)
        log_write(LOG_QUEUE,
                  "child kernel '%s': %u dimensions, global size %llu, local size %llu: "
                  "error %d",
                  info->name, record->work_dim, (unsigned long long)record->global_size[0],
                  (unsigned long long)record->local_size[0], result);
    if (args != few)
        free(args);
    f->nodes[id].enqueues = info->enqueues;
    f->printing += info->uses_printf;
    return result;
}

// The device copies the times to where the kernel wants them.
static cl_int launch_times(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record)
{
    uint64_t slot = (uint64_t)f->time_queries++ * FAMILY_TIMES_BYTES,
             words = FAMILY_TIMES_BYTES / 4;
    uint32_t rest = 0;
    memcpy(f->times + slot / sizeof *f->times, f->event_states[record->event - 1].times,
           FAMILY_TIMES_BYTES);
    const struct cmd_arg args[] = {
        {.offset = record->global_offset[0]},
        {.buffer = &f->memory,
         .offset = (uint64_t)((uint8_t *)f->times - (uint8_t *)f->memory.host) + slot},
        {.value = &words, .size = sizeof words},
        {.value = &rest, .size = sizeof rest},
    };
    struct cmd_ndrange range = {.args = args, .dims = 1, .global = {words}};
    cl_int result = cmd_own_kernel(f->queue->device, VK_KERNEL_COPY4, &range.kernel);
    return result ? result : enqueue_node(f, id, &range, NULL, 0);
}

// ---- what is ready ------------------------------------------------------------------------------

enum ready_to { LATER, NOW, NEVER };

// Whether the dependencies are complete, or end in this step and have no children.
static enum ready_to ready(const struct cmd_family *f, const struct kc_enqueue *record,
                           struct command **waits, uint32_t *count)
{
    const struct kc_program *program = f->parent->program;
    struct family_parts parts;
    bool kernel = record->kernel >= 0;
    // may query times, which the host provides
    bool asks = kernel && program->kernels[record->kernel].enqueues;
    family_find_parts(record, &parts);
    *count = 0;
    if (record->kernel == KC_ENQUEUE_PROFILE)
        return f->events[record->event - 1].status > 0 || f->time_queries == FAMILY_TIMES ? LATER
                                                                                          : NOW;
    if (kernel && program->kernels[record->kernel].uses_printf && f->printing >= PRINTERS)
        return LATER;
    for (uint32_t i = 0; i < record->wait_count; i++) {
        cl_int status = f->events[parts.waits[i] - 1].status;
        if (f->event_states[parts.waits[i] - 1].time_queries)
            return LATER;
        uint32_t owner = f->event_states[parts.waits[i] - 1].owner;
        const struct node *node = owner ? &f->nodes[owner - 1] : NULL;
        if (status < 0)
            return NEVER;
        if (status == CL_COMPLETE)
            continue;
        if (!kernel || asks || !node || node->state != NODE_RUNS || node->enqueues || *count == SAME_STEP)
            return LATER;
        waits[(*count)++] = node->command;
    }
    return NOW;
}

static cl_int start(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record,
                    struct command *const *waits, uint32_t wait_count)
{
    if (record->kernel == KC_ENQUEUE_MARKER)
        return CL_SUCCESS;
    if (!family_list_add(&f->running, id)) {
        family_fail(f, CL_OUT_OF_HOST_MEMORY);
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int result = record->kernel == KC_ENQUEUE_PROFILE
                        ? launch_times(f, id, record)
                        : launch_block(f, id, record, waits, wait_count);
    if (result != CL_SUCCESS) {
        if (result > CL_INVALID_VALUE) // of the device or for want of memory, not an error of the kernel
            family_fail(f, result);
        f->running.count--;
        return result;
    }
    f->nodes[id].state = NODE_RUNS;
    f->launched++;
    return CL_SUCCESS;
}

// True if some nodes have started or failed; others may have waited for those.
static bool start_waiting(struct cmd_family *f)
{
    uint32_t pool = 0, count = f->waiting.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = f->waiting.items[i];
        const struct kc_enqueue *record = f->nodes[id].record;
        struct command *waits[SAME_STEP];
        uint32_t wait_count;
        enum ready_to when = f->failure ? LATER : ready(f, record, waits, &wait_count);
        if (when == LATER) {
            f->waiting.items[pool++] = id;
            continue;
        }
        cl_int status = when == NOW ? start(f, id, record, waits, wait_count)
                                    : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        family_stop_waiting(f, id, record);
        if (f->nodes[id].state != NODE_RUNS)
            family_node_end(f, id, status);
    }
    f->waiting.count = pool;
    return pool != count;
}

static void fail_waiting(struct cmd_family *f, cl_int status)
{
    for (uint32_t i = 0; i < f->waiting.count; i++) {
        family_stop_waiting(f, f->waiting.items[i], f->nodes[f->waiting.items[i]].record);
        family_node_end(f, f->waiting.items[i], status);
    }
    f->waiting.count = 0;
}

// ---- steps --------------------------------------------------------------------------------------

// Enqueues the step that ends what has been enqueued so far. After that only the family's queue may
// be accessed.
static cl_int enqueue_step(struct cmd_family *f)
{
    const struct cmd_request request = {.queue = f->queue};
    struct step *step = (struct step *)cmd_new(&request, CMD_FAMILY_STEP, sizeof *step);
    if (!step)
        return CL_OUT_OF_HOST_MEMORY;
    step->family = f;
    step->base.waits_for_all = true;
    return cmd_enqueue(&request, &step->base);
}

static cl_int send_step(struct cmd_family *f)
{
    struct cmd_queue *queue = f->queue;
    cmd_lock();
    queue->waiters++;
    cmd_unlock();
    cl_int result = enqueue_step(f);
    cmd_lock();
    batch_flush(queue);
    queue->waiters--;
    cmd_queue_maybe_destroy(queue);
    cmd_unlock();
    return result;
}

// Resets a family for its next use.
static void family_clear(struct cmd_family *f)
{
    for (uint32_t i = 0; i < f->running.count; i++) {
        cmd_release(f->nodes[f->running.items[i]].command);
        f->nodes[f->running.items[i]].command = NULL;
    }
    for (uint32_t i = 0; i < f->node_count; i++)
        family_forget_images(f, i);
    f->running.count = 0;
    f->unused.count = f->node_count = 0;
    if (f->failure) {
        family_lay_out(f, f->memory.host); // clears everything that kernels may have written
        memset(f->event_states, 0, CMD_DEVICE_EVENTS * sizeof *f->event_states);
        f->live.count = f->given = 0;
    } else {
        family_recycle_events(f, true);
    }
    f->parent = NULL;
}

static void set_times(const struct cmd_family *f, struct command *command)
{
    const struct node *root = &f->nodes[FAMILY_ROOT];
    command->times[TIME_START] = root->start;
    command->times[TIME_END] = root->end;
    command->times[TIME_COMPLETE] = root->has_children ? thread_now_ns() : 0;
}

// The queue may be used by another family afterwards.
static void leave_queue(struct command *command)
{
    cmd_lock();
    cmd_family_set_running(command->family_queue, false);
    command->family_queue = NULL;
    cmd_unlock();
}

// `report`: report the error to the enqueuing thread, like that of a failed submission.
static void complete(struct command *command, cl_int status, bool report)
{
    cmd_lock();
    cmd_end_on_host(command);
    command->next = NULL;
    if (report)
        cmd_queue_fail(command->queue, command, status);
    else
        cmd_complete(command, status);
    cmd_unlock();
}

static void family_finish(struct cmd_family *f)
{
    struct command *command = &f->parent->base;
    cl_int failure = f->failure, status = failure ? failure : f->nodes[FAMILY_ROOT].status;
    fail_waiting(f, CL_OUT_OF_RESOURCES);
    set_times(f, command);
    family_clear(f);
    leave_queue(command);
    family_give(f);
    complete(command, status, failure < 0);
}

// Enqueues a step if something has been launched; else the family is finished.
static void advance(struct cmd_family *f)
{
    struct vk_device *device = f->queue->device;
    while (f->launched && vk_device_check(device) == VK_SUCCESS && !gate_ended()) {
        if (f->tries++ == TRIES) { // nobody can tell when the device has finished with the memory
            log_warn("cannot wait for a kernel's children: their memory is not freed");
            leave_queue(&f->parent->base);
            complete(&f->parent->base, CL_OUT_OF_RESOURCES, true);
            return;
        }
        if (send_step(f) == CL_SUCCESS)
            return;
        family_fail(f, CL_OUT_OF_RESOURCES);
    }
    if (f->launched)
        family_fail(f, CL_OUT_OF_RESOURCES);
    family_finish(f);
}

// Records the times and the status of a node whose kernel has ended.
static void record_ended(struct cmd_family *f, uint32_t id)
{
    struct node *node = &f->nodes[id];
    cl_int status = atomic_load(&node->command->status);
    node->start = node->command->times[TIME_START];
    node->end = node->command->times[TIME_END];
    if (id == FAMILY_ROOT)
        f->parent->base.times[TIME_SUBMIT] = node->command->times[TIME_SUBMIT];
    if (status < 0)
        family_fail(f, status);
    node->state = NODE_ENDED;
    cmd_release(node->command);
    node->command = NULL;
}

static void next_generation(struct cmd_family *f)
{
    struct list ended = f->running;
    f->running = (struct list){0};
    f->launched = f->printing = f->time_queries = f->tries = 0;
    for (uint32_t i = 0; i < ended.count; i++)
        record_ended(f, ended.items[i]);
    if (!f->failure)
        family_collect_events(f);
    if (!f->failure)
        family_take_records(f);
    for (uint32_t i = 0; i < ended.count; i++)
        family_node_close(f, ended.items[i]); // not earlier, because children delay completion
    free(ended.items);
    if (!f->failure)
        family_recycle_events(f, false); // the device may allocate some from the first launch on
    while (start_waiting(f) && f->waiting.count && !f->failure)
        ;
    if (!f->failure && !f->launched && f->waiting.count) {
        log_write(LOG_QUEUE, "%u child kernels wait for events that can no longer complete",
                  f->waiting.count);
        fail_waiting(f, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    family_save_waiting(f);
    advance(f);
}

void after_step(struct command *command)
{
    struct step *step = (struct step *)command;
    step->done = true;
    next_generation(step->family);
}

// A step that the device never reached: it could not be submitted, or the device is lost. Earlier
// submissions must still be waited for.
void clear_step(struct command *command)
{
    struct step *step = (struct step *)command;
    cl_int status = atomic_load(&command->status);
    if (step->done || status > CL_COMPLETE) // or it was never enqueued
        return;
    step->done = true;
    family_fail(step->family, status < 0 ? status : CL_OUT_OF_RESOURCES);
    advance(step->family);
}

// ---- the family's command -----------------------------------------------------------------------

static cl_int start_root(struct cmd_family *f, struct parent *p)
{
    struct command *root = p->root;
    const struct cmd_request request = {.queue = f->queue, .out = &f->nodes[FAMILY_ROOT].command};
    cmd_ndrange_join(root, f->queue, f->memory.address);
    p->root = NULL;
    p->enqueuer.use(p->enqueuer.code); // the root holds that
    cl_int result = cmd_enqueue(&request, root);
    if (result != CL_SUCCESS)
        p->enqueuer.drop(p->enqueuer.code);
    return result;
}

static cl_int begin(struct cmd_family *f, struct parent *p)
{
    f->parent = p;
    f->failure = CL_SUCCESS;
    f->launched = f->tries = 0;
    f->shared->default_queue = p->enqueuer.default_queue;
    if (!family_list_add(&f->running, FAMILY_ROOT) || (family_node_new(f, FAMILY_ROOT), !f->node_count)) {
        f->running.count = 0;
        return CL_OUT_OF_HOST_MEMORY;
    }
    f->nodes[FAMILY_ROOT].state = NODE_RUNS;
    f->nodes[FAMILY_ROOT].kernel = p->kernel;
    f->nodes[FAMILY_ROOT].images = p->images;
    cl_int result = start_root(f, p);
    if (result != CL_SUCCESS)
        f->running.count = 0;
    return result;
}

void run_family(struct command *command)
{
    struct parent *p = (struct parent *)command;
    struct vk_device *device = command->queue->device;
    struct cmd_family *f;
    cl_int result = family_take(device, command->timed || p->enqueuer.timed, p->enqueuer.bytes, &f);
    if (result != CL_SUCCESS) {
        complete(command, result, true);
        return;
    }
    cmd_lock();
    command->family_queue = f->queue;
    cmd_family_set_running(f->queue, true);
    cmd_thread_wake();
    cmd_unlock();
    result = begin(f, p);
    if (result == CL_SUCCESS) {
        f->launched = 1;
        advance(f);
        return;
    }
    family_clear(f);
    leave_queue(command);
    family_give(f);
    complete(command, result, true);
}

void clear_family(struct command *command)
{
    struct parent *p = (struct parent *)command;
    if (p->root)
        cmd_drop(p->root);
    p->root = NULL;
}

cl_int cmd_family_enqueue(const struct cmd_request *request, const struct cmd_ndrange *range)
{
    const struct cmd_hold hold = {range->enqueuer->code, range->enqueuer->drop};
    const struct cmd_request alone = {.queue = request->queue, .holds = &hold, .hold_count = 1};
    struct command *root;
    cl_int result = cmd_ndrange_make(&alone, range, &root);
    if (result != CL_SUCCESS)
        return result;
    const struct kc_kernel *info = range->kernel->info;
    size_t images = info->arg_count * sizeof(struct cmd_surface *);
    struct parent *p = (struct parent *)cmd_new(request, CMD_FAMILY, sizeof *p + images);
    if (!p) {
        cmd_drop(root);
        return CL_OUT_OF_HOST_MEMORY;
    }
    p->root = root;
    p->kernel = info;
    p->images = (const struct cmd_surface **)(p + 1);
    for (uint32_t i = 0; i < info->arg_count; i++)
        p->images[i] = range->args[i].surface;
    p->enqueuer = *range->enqueuer;
    p->program = range->program;
    p->data = range->data;
    p->base.all_memory = true;
    p->base.any_host = range->any_host;
    return cmd_enqueue(request, &p->base);
}
