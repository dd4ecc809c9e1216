// SPDX-License-Identifier: Apache-2.0
// Releases that the application's OpenGL context waits for: the device signals a semaphore, and
// OpenGL waits for it on the GPU.
//
// If OpenGL can wait for sync fds, each signal is exported as one. Otherwise OpenGL has imported
// the semaphore, which can be signalled again when a fence after OpenGL's wait has been passed
// (gl_signals_seen()).
#include "object/gl_moves.h"
#include "object/queue.h"

#include <stdlib.h>

#include "gl/semaphore.h"
#include "platform/platform.h"
#include "util/log.h"
#include "vulkan/external.h"

#define OPAQUE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define SYNC VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT

enum { SIGNALS = 16, MOST_RELEASED = 16 };

struct gl_signals {
    pthread_mutex_t lock;
    bool missing; // not supported
    unsigned count;
    uint64_t issued, seen; // numbers of OpenGL's waits: issued, passed
    struct gl_signal {
        struct cmd_binary binary;
        unsigned name; // 0: its signals are exported as sync fds
        uint64_t wait; // the last one; UINT64_MAX: unknown whether the signal was consumed
        bool busy;
    } list[SIGNALS];
};

struct import_call {
    int fd;
    unsigned name;
};

static enum gl_result run_import(struct gl_share *share, void *data)
{
    struct import_call *call = data;
    call->name = gl_semaphore_import(share, call->fd);
    return GL_FINE;
}

unsigned gl_make_semaphore(struct context_share *share, struct vk_device *device, struct cmd_binary *binary)
{
    struct import_call call = {.fd = -1};
    if (!(device->facts->external.semaphores_out & OPAQUE) ||
        vk_semaphore_create(device, OPAQUE, &binary->handle) != VK_SUCCESS)
        return 0;
    if (vk_semaphore_export(device, binary->handle, OPAQUE, &call.fd) == VK_SUCCESS)
        gl_share_call(share->share, run_import, &call);
    if (call.name)
        return call.name;
    if (call.fd >= 0)
        descriptor_close(call.fd);
    vk_semaphore_destroy(device, binary->handle);
    return 0;
}

static bool make(struct context_share *share, struct vk_device *device, struct gl_signal *signal)
{
    if (gl_can_wait_fds(share->share) && device->facts->external.semaphores_out & SYNC)
        return vk_semaphore_create(device, SYNC, &signal->binary.handle) == VK_SUCCESS;
    if (gl_fences_pass_waits(share->share))
        return false;
    signal->name = gl_make_semaphore(share, device, &signal->binary);
    return signal->name != 0;
}

static struct gl_signals *signals_of(struct context_share *share)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    struct gl_signals *signals = share->signals;
    if (!signals && (signals = calloc(1, sizeof *signals))) {
        pthread_mutex_init(&signals->lock, NULL);
        share->signals = signals;
    }
    pthread_mutex_unlock(&lock);
    return signals;
}

static struct gl_signal *find_free(struct gl_signals *signals)
{
    for (unsigned i = 0; i < signals->count; i++)
        if (!signals->list[i].busy && signals->list[i].wait <= signals->seen)
            return &signals->list[i];
    return NULL;
}

// NULL: none is free, or not supported.
static struct gl_signal *take(struct context_share *share, struct vk_device *device)
{
    struct gl_signals *signals = signals_of(share);
    if (!signals)
        return NULL;
    pthread_mutex_lock(&signals->lock);
    struct gl_signal *signal = find_free(signals);
    if (!signal && !signals->missing && signals->count < SIGNALS) {
        signal = &signals->list[signals->count];
        signals->missing = !make(share, device, signal);
        if (signals->missing)
            log_write(
                LOG_MEM,
                "releases wait on the host: OpenGL and Vulkan have no common kind of semaphore");
        signals->count += !signals->missing;
        signal = signals->missing ? NULL : signal;
    }
    if (signal)
        signal->busy = true;
    pthread_mutex_unlock(&signals->lock);
    return signal;
}

static void give_back(struct gl_signals *signals, struct gl_signal *signal, bool gone)
{
    pthread_mutex_lock(&signals->lock);
    signal->wait = !gone ? UINT64_MAX : signal->name ? ++signals->issued : 0;
    signal->busy = false;
    pthread_mutex_unlock(&signals->lock);
}

uint64_t gl_signals_told(struct context_share *share)
{
    struct gl_signals *signals = share->signals;
    if (!signals)
        return 0;
    pthread_mutex_lock(&signals->lock);
    uint64_t issued = signals->issued;
    pthread_mutex_unlock(&signals->lock);
    return issued;
}

void gl_signals_seen(struct context_share *share, uint64_t issued)
{
    struct gl_signals *signals = share->signals;
    if (!signals)
        return;
    pthread_mutex_lock(&signals->lock);
    if (issued > signals->seen)
        signals->seen = issued;
    pthread_mutex_unlock(&signals->lock);
}

// True: the signal has been submitted. `command`: NULL in an in-order queue.
static bool signal_after(struct _cl_context *context, struct cmd_queue *queue, struct command *command, struct gl_signal *signal)
{
    struct command *signals = NULL;
    struct cmd_binary *binary = &signal->binary;
    const struct cmd_hold hold = {object_use(context), object_drop};
    const struct cmd_request request = {
        .queue = queue, .waits = &command, .wait_count = command != NULL, .holds = &hold, .hold_count = 1, .out = &signals};
    if (cmd_semaphores(&request, &binary, 1, false)) {
        object_drop(context);
        return false;
    }
    cmd_flush(queue);
    cl_int status = cmd_status(signals);
    cmd_release(signals);
    return status >= CL_COMPLETE && status <= CL_SUBMITTED;
}

// False: the semaphore remains signalled.
static bool wait_fd(struct context_share *share, struct vk_device *device, struct gl_signal *signal, bool *waits)
{
    int fd = -1;
    bool gone = vk_semaphore_export(device, signal->binary.handle, SYNC, &fd) == VK_SUCCESS;
    *waits = gone && (fd < 0 || gl_fd_wait(share->share, fd)); // no fd: already signalled
    return gone;
}

bool gl_signal_release(struct _cl_command_queue *queue, struct command *command, cl_uint count, struct _cl_mem *const *list)
{
    const struct gl_object *objects[MOST_RELEASED];
    struct context_share *share = list[0]->gl->share;
    struct vk_device *device = queue->context->devices[queue->device_index].vk;
    bool in_order = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (count > MOST_RELEASED || !gl_is_own_current(share->share) || cmd_waits_for_user(command))
        return false;
    for (cl_uint i = 0; i < count; i++) {
        objects[i] = &list[i]->gl->object;
        if (!gl_is_direct(list[i]->gl))
            return false;
    }
    if (!in_order && (cmd_flush(queue->commands) || cmd_status(command) > CL_SUBMITTED))
        return false;
    struct gl_signal *signal = take(share, device);
    if (!signal)
        return false;
    bool gone = signal_after(queue->context, queue->commands, in_order ? NULL : command, signal), waits = gone;
    if (gone && signal->name)
        gl_semaphore_wait(share->share, signal->name, objects, count);
    else if (gone)
        gone = wait_fd(share, device, signal, &waits);
    give_back(share->signals, signal, gone);
    log_write(LOG_MEM, "%u objects released: %s waits for the device", count, waits ? "OpenGL" : "the host");
    return waits;
}

static enum gl_result run_delete(struct gl_share *share, void *data)
{
    const struct gl_signals *signals = data;
    for (unsigned i = 0; i < signals->count; i++)
        gl_semaphore_delete(share, signals->list[i].name);
    return GL_FINE;
}

void gl_signals_finish(struct context_share *share, struct vk_device *device)
{
    struct gl_signals *signals = share->signals;
    if (!signals)
        return;
    gl_share_call(share->share, run_delete, signals);
    for (unsigned i = 0; i < signals->count; i++)
        vk_semaphore_destroy(device, signals->list[i].binary.handle);
    pthread_mutex_destroy(&signals->lock);
    free(signals);
}
