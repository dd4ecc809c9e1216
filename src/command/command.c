// SPDX-License-Identifier: Apache-2.0
// Commands as objects: creation, reference counts, queries; user events; and commands that move no
// data.
#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/thread.h"

#define DEVICE CMD_DEVICE
#define HOST CMD_HOST
#define THREAD CMD_THREAD
#define ASYNC CMD_ASYNC
#define NOTHING CMD_NOTHING
const struct cmd_ops cmd_ops[CMD_COUNT] = {
#define COMMAND(id, name, place, prepare, record, after, run, clear, failed)                       \
    {name, place, prepare, record, after, run, clear, failed},
#include "command/commands.def"
#undef COMMAND
};

cl_int cmd_error(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return CL_SUCCESS;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return CL_OUT_OF_HOST_MEMORY;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: // of staging buffers and the like; memory objects report
                                        // their own errors
        return CL_OUT_OF_RESOURCES;
    case VK_ERROR_INITIALIZATION_FAILED:
        return CL_DEVICE_NOT_FOUND;
    default:
        return CL_OUT_OF_RESOURCES;
    }
}

// ---- life ---------------------------------------------------------------------------------------

struct command *cmd_new(const struct cmd_request *request, enum cmd_id id, size_t size)
{
    size_t holds = (size + 15) / 16 * 16;
    struct command *command = calloc(1, holds + request->hold_count * sizeof *request->holds);
    if (!command)
        return NULL;
    command->ops = &cmd_ops[id];
    command->queue = request->queue;
    command->thread = thread_bit();
    atomic_init(&command->refs, 1);
    atomic_init(&command->status, CL_QUEUED);
    command->profiled = request->queue->profiling;
    command->timed = request->queue->timing;
    command->observed = request->out || request->queue->traced;
    command->span = cmd_span_new(request);
    command->shared_host = request->shared_host;
    command->query = -1;
    command->access_list = command->accesses;
    command->holds = (struct cmd_hold *)((char *)command + holds);
    command->hold_count = request->hold_count;
    if (request->hold_count)
        memcpy(command->holds, request->holds, request->hold_count * sizeof *request->holds);
    return command;
}

void cmd_drop(struct command *command)
{
    if (command->ops->failed)
        command->ops->failed(command);
    if (command->ops->clear)
        command->ops->clear(command);
    for (int i = 0; i < COMMAND_BUFFERS; i++)
        vk_buffer_destroy(&command->buffers[i]);
    cmd_release(command);
}

struct command *cmd_retain(struct command *command)
{
    atomic_fetch_add_explicit(&command->refs, 1, memory_order_relaxed);
    return command;
}

void cmd_release(struct command *command)
{
    if (!command || atomic_fetch_sub_explicit(&command->refs, 1, memory_order_acq_rel) != 1)
        return;
    cmd_release(command->profiled_from);
    cmd_span_free(command->span);
    free(command->handle);
    free(command);
}

// ---- user events --------------------------------------------------------------------------------

cl_int cmd_user_create(struct command **out)
{
    struct command *command = calloc(1, sizeof *command);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    atomic_init(&command->refs, 1);
    atomic_init(&command->status, CL_SUBMITTED);
    *out = command;
    return CL_SUCCESS;
}

cl_int cmd_user_set(struct command *command, cl_int status)
{
    cl_int result = CL_SUCCESS;
    cmd_lock();
    if (command->ops || command->state == CMD_DONE)
        result = CL_INVALID_OPERATION;
    else
        cmd_complete(command, status);
    while (result == CL_SUCCESS && cmd_progress(false))
        ;
    cmd_unlock();
    return result;
}

void cmd_user_abandon(struct command *command)
{
    struct cmd_callback *callbacks = NULL;
    cmd_lock();
    if (command->state != CMD_DONE) {
        command->abandoned = true;
        cmd_check_dependents(command);
        callbacks = cmd_callbacks_take(command);
        while (cmd_progress(false))
            ;
    }
    cmd_unlock();
    cmd_callbacks_drop(callbacks);
}

void cmd_user_leave(struct command *command, void *handle)
{
    command->handle = handle;
    cmd_release(command);
}

// ---- order --------------------------------------------------------------------------------------

static cl_int order(const struct cmd_request *request, bool waits_for_all, bool is_barrier)
{
    struct command *command = cmd_new(request, CMD_MARKER, sizeof *command);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command->waits_for_all = waits_for_all && request->wait_count == 0;
    command->is_barrier = is_barrier;
    return cmd_enqueue(request, command);
}

cl_int cmd_marker(const struct cmd_request *request)
{
    return order(request, true, false);
}

cl_int cmd_barrier(const struct cmd_request *request)
{
    return order(request, true, true);
}

cl_int cmd_nothing(const struct cmd_request *request)
{
    return order(request, false, false);
}

struct native {
    struct command base;
    void (*fn)(void *);
    void *data;
};

void run_native(struct command *command)
{
    struct native *native = (struct native *)command;
    unsigned depth = gate_step_out();
    native->fn(native->data);
    gate_step_in(depth);
}

cl_int cmd_native(const struct cmd_request *request, void (*fn)(void *), void *data)
{
    struct native *native = (struct native *)cmd_new(request, CMD_NATIVE, sizeof *native);
    if (!native)
        return CL_OUT_OF_HOST_MEMORY;
    native->fn = fn;
    native->data = data;
    return cmd_enqueue(request, &native->base);
}

struct outside {
    struct command base;
    void (*begin)(struct command *command, void *data);
    void *data;
};

void run_outside(struct command *command)
{
    struct outside *outside = (struct outside *)command;
    command->times[TIME_SUBMIT] = command->times[TIME_START] = thread_now_ns();
    outside->begin(command, outside->data);
}

cl_int cmd_outside(const struct cmd_request *request, void (*begin)(struct command *command, void *data), void *data)
{
    struct outside *outside = (struct outside *)cmd_new(request, CMD_OUTSIDE, sizeof *outside);
    if (!outside)
        return CL_OUT_OF_HOST_MEMORY;
    outside->begin = begin;
    outside->data = data;
    return cmd_enqueue(request, &outside->base);
}

void cmd_outside_end(struct command *command, cl_int status)
{
    cmd_lock();
    cmd_end_on_host(command);
    command->next = NULL;
    command->times[TIME_END] = thread_now_ns();
    if (status < 0)
        cmd_queue_fail(command->queue, command, status);
    else
        cmd_complete(command, status);
    while (cmd_progress(false))
        ;
    cmd_unlock();
}

// Checks a limited number of commands; if there are more, it assumes that one of them waits.
static bool waits_for_user(const struct command *command, int *steps)
{
    if (!command->ops)
        return command->state != CMD_DONE;
    if (command->state != CMD_HELD)
        return false;
    if (--*steps < 0)
        return true;
    for (uint32_t i = 0; i < command->dep_count; i++)
        if (waits_for_user(command->deps[i].command, steps))
            return true;
    const struct command *first = command->queue->in_order ? command->queue->held : command;
    return first != command && waits_for_user(first, steps);
}

bool cmd_waits_for_user(const struct command *command)
{
    int steps = 1000;
    cmd_lock();
    bool waits = waits_for_user(command, &steps);
    cmd_unlock();
    return waits;
}
