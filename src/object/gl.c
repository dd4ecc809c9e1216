// SPDX-License-Identifier: Apache-2.0
// Acquiring and releasing OpenGL objects: contents are copied between OpenGL and the device, on the
// share's thread. See gl.h.
#include "object/gl_moves.h"

#include <stdlib.h>
#include <string.h>

#include "gl/export.h"
#include "gl/semaphore.h"
#include "util/log.h"
#include "vulkan/external.h"

// ---- shares -------------------------------------------------------------------------------------

cl_int gl_error(enum gl_result result, cl_int no_object)
{
    switch (result) {
    case GL_FINE:
        return CL_SUCCESS;
    case GL_NO_SYSTEM:
    case GL_NOT_PLAIN:
        return CL_INVALID_OPERATION;
    case GL_NO_CONTEXT:
        return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
    case GL_NO_LEVEL:
        return CL_INVALID_MIP_LEVEL;
    case GL_NO_FORMAT:
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    case GL_NO_OBJECT:
        return no_object;
    default:
        return CL_OUT_OF_HOST_MEMORY;
    }
}

// The handlers that OpenGL's libraries have registered so far run after ours.
enum gl_result gl_open(const struct gl_origin *origin, struct gl_share **out)
{
    static atomic_ullong hooked;
    vk_at_end(gl_shares_end);
    enum gl_result result = gl_share_open(origin, out);
    vk_exit_hook(atomic_exchange(&hooked, vk_libraries()));
    return result;
}

static void free_share(struct context_share *share)
{
    free(share->staging);
    free(share);
}

cl_int context_open_share(struct _cl_context *context, const struct gl_origin *origin)
{
    struct context_share *share = calloc(1, sizeof *share);
    if (!share)
        return CL_OUT_OF_HOST_MEMORY;
    share->staging = calloc(context->device_count, sizeof *share->staging);
    enum gl_result result = share->staging ? gl_open(origin, &share->share) : GL_NO_MEMORY;
    if (result != GL_FINE) {
        free_share(share);
        return gl_error(result, 0);
    }
    share->next = context->shares;
    context->shares = share;
    if (origin->context)
        context->gl = share;
    return CL_SUCCESS;
}

cl_int context_share_for(struct _cl_context *context, void *display, struct context_share **out)
{
    const struct gl_origin origin = {GL_BY_EGL, display, NULL};
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&context->lock);
    struct context_share *share = context->shares;
    while (share && !gl_share_is(share->share, &origin))
        share = share->next;
    if (!share) {
        error = context_open_share(context, &origin);
        share = context->shares;
    }
    pthread_mutex_unlock(&context->lock);
    *out = share;
    return error;
}

void context_close_shares(struct _cl_context *context)
{
    while (context->shares) {
        struct context_share *share = context->shares;
        context->shares = share->next;
        gl_signals_finish(share, context->devices[0].vk);
        gl_orders_finish(share, context->devices[0].vk);
        gl_share_close(share->share);
        for (cl_uint i = 0; i < context->device_count; i++)
            vk_buffer_destroy(&share->staging[i]);
        free_share(share);
    }
}

// ---- objects ------------------------------------------------------------------------------------

struct forget {
    struct gl_job job;
    struct gl_object object;
};

static void run_forget(struct gl_share *share, struct gl_job *job)
{
    gl_forget(share, &((struct forget *)job)->object);
    free(job);
}

void gl_object_forget(const struct memobj_gl *gl)
{
    struct forget *forget = gl->object.image || gl->object.mirror ? malloc(sizeof *forget) : NULL;
    if (!forget)
        return;
    *forget = (struct forget){{.run = run_forget}, gl->object};
    gl_share_post(gl->share->share, &forget->job);
}

void memobj_gl_finish(struct _cl_mem *mem)
{
    gl_object_forget(mem->gl);
    cmd_release(mem->gl->released);
    free(mem->gl);
}

void memobj_note_change(struct _cl_mem *mem)
{
    for (; mem; mem = mem->parent)
        if (mem->gl)
            atomic_store(&mem->gl->changed, true);
}

// ---- transfers ----------------------------------------------------------------------------------

// Transfers of the process that the shares' threads have still to make: the application's context
// must not overtake them.
static atomic_uint slow_transfers;

struct gl_transfer {
    struct gl_job job;
    bool ready;  // objects used without copies are unchanged, and OpenGL has finished with them
    bool failed; // they have changed
    struct _cl_context *context;
    struct command *command;
    struct context_share *waits; // `fence` belongs to it
    void *fence;
    uint64_t signals; // semaphore waits that precede the fence
    struct gl_order *order; // its wait precedes the fence, too
    bool slow;              // counted in slow_transfers
    int device_index;
    bool acquires;
    cl_int status;
    cl_uint at, count, own; // number of objects whose memory the device uses directly
    struct gl_item items[];
};

cl_int gl_transfer_create(struct _cl_context *context, int device_index, bool acquires,
                          cl_uint count, struct gl_transfer **out)
{
    struct gl_transfer *transfer = calloc(1, sizeof *transfer + count * sizeof *transfer->items);
    if (!transfer)
        return CL_OUT_OF_HOST_MEMORY;
    transfer->context = object_use(context);
    transfer->device_index = device_index;
    transfer->acquires = acquires;
    *out = transfer;
    return CL_SUCCESS;
}

// Skips objects that are already in the requested state.
void gl_transfer_add(struct gl_transfer *transfer, struct _cl_mem *mem,
                     const struct cmd_surface *surface, struct vk_buffer *buffer, uint64_t offset)
{
    if (atomic_exchange(&mem->gl->acquired, transfer->acquires) == transfer->acquires)
        return;
    bool changed = atomic_exchange(&mem->gl->changed, false);
    transfer->items[transfer->count++] = (struct gl_item){mem, surface, buffer, offset, changed};
    transfer->own += gl_is_direct(mem->gl);
}

void gl_transfer_wait(struct gl_transfer *transfer, struct context_share *share, void *fence)
{
    transfer->waits = share;
    transfer->fence = fence;
    transfer->signals = gl_signals_told(share);
}

// All of OpenGL's commands before the fence are complete.
static void pass_fence(struct gl_share *share, struct gl_transfer *transfer)
{
    gl_wait(share, transfer->fence);
    gl_signals_seen(transfer->waits, transfer->signals);
    if (transfer->order)
        gl_order_give(transfer->waits, transfer->order, NULL);
    transfer->fence = NULL;
}

static void run_free(struct gl_share *share, struct gl_job *job)
{
    pass_fence(share, (struct gl_transfer *)job);
    free(job);
}

void gl_transfer_release(void *data)
{
    struct gl_transfer *transfer = data;
    struct _cl_context *context = transfer->context;
    slow_transfers -= transfer->slow;
    transfer->job.run = run_free;
    if (transfer->fence) // the command never began
        gl_share_post(transfer->waits->share, &transfer->job);
    else
        free(transfer);
    object_drop(context);
}

// ---- copies -------------------------------------------------------------------------------------

const char *gl_kind_name(const struct memobj_gl *gl)
{
    return gl->egl                               ? "EGL image"
           : gl->type == CL_GL_OBJECT_BUFFER       ? "buffer"
           : gl->type == CL_GL_OBJECT_RENDERBUFFER ? "renderbuffer"
                                                   : "texture";
}

static struct vk_device *device_of(const struct gl_item *item, int device_index)
{
    return item->mem->context->devices[device_index].vk;
}

cl_int gl_stage(const struct gl_item *item, int device_index, uint64_t size, struct vk_buffer **out)
{
    struct vk_buffer *staging = &item->mem->gl->share->staging[device_index];
    *out = staging;
    if (staging->size >= size)
        return CL_SUCCESS;
    vk_buffer_destroy(staging);
    *staging = (struct vk_buffer){0};
    VkResult result = vk_buffer_create(device_of(item, device_index), VK_MEMORY_READBACK, size, staging);
    if (result != VK_SUCCESS)
        *staging = (struct vk_buffer){0};
    return cmd_error(result);
}

uint64_t gl_level_bytes(const struct gl_item *item, int level)
{
    const struct gl_object *object = &item->mem->gl->object;
    uint32_t size[3];
    if (!item->surface)
        return object->size;
    gl_level_size(object, level, size);
    return (uint64_t)size[0] * size[1] * size[2] * gl_texel(object);
}

// Copies between the object's memory and the staging buffer; returns when done.
cl_int gl_copy_staged(const struct gl_item *item, int device_index, int level,
                      struct vk_buffer *staging, bool to_object)
{
    static const size_t origin[3];
    struct cmd_request request = {.blocking = true};
    size_t region[3];
    cl_int error = cmd_own_queue(device_of(item, device_index), &request.queue);
    if (error)
        return error;
    if (!item->surface)
        return to_object ? cmd_copy(&request, staging, 0, item->buffer, item->offset, item->mem->gl->object.size)
                         : cmd_copy(&request, item->buffer, item->offset, staging, 0, item->mem->gl->object.size);
    image_level_region(item->mem, (uint32_t)level, region);
    return to_object ? cmd_image_from_buffer(&request, item->surface + level, origin, region, staging, 0)
                     : cmd_image_to_buffer(&request, item->surface + level, origin, region, staging, 0);
}

static cl_int to_or_from_gl(const struct gl_item *item, int level, void *data, bool from_gl)
{
    const struct memobj_gl *gl = item->mem->gl;
    return gl_error(from_gl ? gl_read(gl->share->share, &gl->object, level, data)
                            : gl_write(gl->share->share, &gl->object, level, data),
                    CL_INVALID_GL_OBJECT);
}

static cl_int move_level(struct gl_transfer *transfer, const struct gl_item *item, int level)
{
    struct vk_buffer *staging;
    if (!item->surface && item->buffer->host &&
        device_of(item, transfer->device_index)->facts->unified)
        return to_or_from_gl(item, level, (char *)item->buffer->host + item->offset,
                             transfer->acquires);
    cl_int error = gl_stage(item, transfer->device_index, gl_level_bytes(item, level), &staging);
    if (!error)
        error = transfer->acquires
                    ? to_or_from_gl(item, level, staging->host, true)
                    : gl_copy_staged(item, transfer->device_index, level, staging, false);
    if (!error)
        error = transfer->acquires
                    ? gl_copy_staged(item, transfer->device_index, level, staging, true)
                    : to_or_from_gl(item, level, staging->host, false);
    return error;
}

static cl_int move_by_host(struct gl_transfer *transfer, const struct gl_item *item)
{
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < (item->surface ? item->mem->gl->object.levels : 1) && !error; i++)
        error = move_level(transfer, item, i);
    return error;
}

static struct vk_shared shared_of(const struct gl_item *item)
{
    return (struct vk_shared){.type = item->mem->gl->external,
                              .image = item->surface ? item->surface->image : NULL,
                              .buffer = item->buffer};
}

cl_int gl_transfer_ownership(const struct gl_item *item, int device_index, bool ours)
{
    struct cmd_request request = {.blocking = true};
    const struct vk_shared shared = shared_of(item);
    cl_int error = cmd_own_queue(device_of(item, device_index), &request.queue);
    return error ? error : cmd_transfer_ownership(&request, &shared, 1, ours);
}

static cl_int move_by_device(struct gl_transfer *transfer, const struct gl_item *item)
{
    const struct memobj_gl *gl = item->mem->gl;
    cl_int error = transfer->acquires ? CL_SUCCESS
                                      : gl_transfer_ownership(item, transfer->device_index, false);
    if (!error)
        error = gl_error(gl_copy(gl->share->share, &gl->object, transfer->acquires),
                         CL_INVALID_GL_OBJECT);
    return error || !transfer->acquires ? error
                                        : gl_transfer_ownership(item, transfer->device_index, true);
}

static cl_int move_all(struct gl_transfer *transfer, const struct gl_item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    cl_int error =
        gl_error(gl_check_unchanged(gl->share->share, &gl->object), CL_INVALID_GL_OBJECT);
    if (!error && gl->object.mirror && move_by_device(transfer, item)) {
        log_write(LOG_MEM, "%s %u: the device cannot copy it, so the host does", gl_kind_name(gl),
                  gl->object.name);
        gl_mirror_end(gl->share->share, &gl->object); // happens for textures that OpenGL considers
                                                      // incomplete
    }
    if (!error && !gl->object.mirror)
        error = move_by_host(transfer, item);
    if (!error)
        gl->filled = true;
    if (!error && gl->object.mirror)
        gl->proven[transfer->acquires] = true;
    return error;
}

static cl_int check_shared(const struct gl_item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    cl_int error =
        gl_error(gl_check_unchanged(gl->share->share, &gl->object), CL_INVALID_GL_OBJECT);
    if (error)
        log_write(LOG_MEM, "%s %u could not be acquired (%d): it was changed or deleted",
                  gl_kind_name(gl), gl->object.name, error);
    return error;
}

// Makes OpenGL's writes to the object's memory so far visible.
static cl_int update_shared(const struct gl_item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    cl_int error = check_shared(item);
    if (!error)
        gl_export_flush(gl->share->share, &gl->object);
    return error;
}

static bool needs_copy(const struct gl_transfer *transfer, const struct gl_item *item)
{
    return transfer->acquires ? !(item->mem->flags & CL_MEM_WRITE_ONLY && item->mem->gl->filled) : item->changed;
}

static cl_int move(struct gl_transfer *transfer, const struct gl_item *item)
{
    struct memobj_gl *gl = item->mem->gl;
    const char *did = transfer->acquires ? "read" : "written";
    cl_int error = CL_SUCCESS;
    if (!needs_copy(transfer, item))
        log_write(LOG_MEM, "%s %u is not %s: %s", gl_kind_name(gl), gl->object.name, did,
                  transfer->acquires ? "it is write-only" : "it is unchanged");
    else if ((error = move_all(transfer, item)))
        log_write(LOG_MEM, "%s %u could not be %s (%d): it was changed or deleted",
                  gl_kind_name(gl), gl->object.name, did, error);
    else
        log_write(LOG_MEM, "%s %u is %s: %zu bytes, copied by the %s", gl_kind_name(gl), gl->object.name, did, item->mem->size,
                  gl->object.mirror ? "device" : "host");
    return error;
}

static bool is_of_one_share(const struct gl_transfer *transfer)
{
    const struct context_share *share = transfer->items[0].mem->gl->share;
    for (cl_uint i = 0; i < transfer->count; i++)
        if (transfer->items[i].mem->gl->share != share)
            return false;
    return !transfer->fence || transfer->waits == share;
}

// OpenGL waits by itself if everything that follows is an OpenGL command.
static void wait_for_fence(struct gl_share *share, struct gl_transfer *transfer)
{
    if (transfer->at == transfer->count || transfer->own || !is_of_one_share(transfer)) {
        pass_fence(share, transfer);
        return;
    }
    gl_wait_on_gpu(share, transfer->fence);
    transfer->fence = NULL;
}

static void run_transfer(struct gl_share *share, struct gl_job *job)
{
    struct gl_transfer *transfer = (struct gl_transfer *)job;
    if (transfer->fence && transfer->waits->share == share)
        wait_for_fence(share, transfer);
    for (; transfer->at < transfer->count &&
           transfer->items[transfer->at].mem->gl->share->share == share;
         transfer->at++) {
        const struct gl_item *item = &transfer->items[transfer->at];
        cl_int error = !gl_is_direct(item->mem->gl) ? move(transfer, item)
                       : transfer->acquires         ? update_shared(item)
                                                    : CL_SUCCESS;
        if (!transfer->status)
            transfer->status = error;
    }
    if (transfer->at < transfer->count) {
        gl_share_post(transfer->items[transfer->at].mem->gl->share->share, job);
        return;
    }
    slow_transfers -= transfer->slow;
    transfer->slow = false;
    cmd_outside_end(transfer->command, transfer->status);
}

static void begin(struct command *command, void *data)
{
    struct gl_transfer *transfer = data;
    transfer->command = command;
    transfer->job.run = run_transfer;
    gl_share_post(transfer->fence ? transfer->waits->share
                                  : transfer->items[0].mem->gl->share->share,
                  &transfer->job);
}

// For objects used without copies: checks them without waiting for earlier OpenGL commands.
static enum gl_result check_now(struct gl_share *share, void *data)
{
    struct gl_transfer *transfer = data;
    for (cl_uint i = 0; i < transfer->count; i++)
        transfer->failed |= check_shared(&transfer->items[i]) != CL_SUCCESS;
    if (transfer->failed || (transfer->fence && !gl_is_signaled(share, transfer->fence)))
        return GL_FINE;
    if (transfer->fence)
        gl_signals_seen(transfer->waits, transfer->signals);
    transfer->fence = NULL;
    transfer->ready = true;
    for (cl_uint i = 0; i < transfer->count; i++)
        gl_export_flush(share, &transfer->items[i].mem->gl->object);
    return GL_FINE;
}

// Of memory that OpenGL accesses, too: its own objects and, by ordered transfers, mirrors that are
// copied.
static cl_int transfer_shared(const struct cmd_request *request, const struct gl_transfer *transfer)
{
    struct vk_shared *list = malloc(transfer->count * sizeof *list);
    cl_uint count = 0;
    for (cl_uint i = 0; list && i < transfer->count; i++)
        if (gl_is_direct(transfer->items[i].mem->gl) || (!transfer->own && needs_copy(transfer, &transfer->items[i])))
            list[count++] = shared_of(&transfer->items[i]);
    cl_int error = list ? cmd_transfer_ownership(request, list, count, transfer->acquires)
                        : CL_OUT_OF_HOST_MEMORY;
    free(list);
    return error;
}

// The thread's part comes first for an acquire, last for a release.
static cl_int enqueue_both(const struct cmd_request *request, struct gl_transfer *transfer)
{
    struct command *first = NULL;
    const struct cmd_request before = {.queue = request->queue, .waits = request->waits,
                                       .wait_count = request->wait_count, .out = &first};
    struct cmd_request after = *request;
    cl_int error = transfer->acquires ? cmd_outside(&before, begin, transfer)
                                      : transfer_shared(&before, transfer);
    after.waits = &first;
    after.wait_count = 1;
    if (!error)
        error = transfer->acquires ? transfer_shared(&after, transfer)
                                   : cmd_outside(&after, begin, transfer);
    if (error && first)
        cmd_wait(&first, 1); // the caller may reuse what it refers to
    cmd_release(first);
    return error;
}

static void count_slow(struct gl_transfer *transfer)
{
    transfer->slow = true;
    slow_transfers++;
}

// ---- in order without the host ------------------------------------------------------------------

enum { MOST_ORDERED = 16 };

// Whether no release without a copy is pending.
static bool is_released(struct memobj_gl *gl)
{
    struct command *released = atomic_exchange(&gl->released, NULL);
    bool complete = !released || cmd_status(released) == CL_COMPLETE;
    if (!complete)
        released = atomic_exchange(&gl->released, released);
    cmd_release(released);
    return complete;
}

// The application's context may neither overtake copies by the share's thread, nor copy into a
// mirror that kernels still use, nor wait for a command that is not submitted.
static bool may_order(const struct cmd_request *request, const struct gl_transfer *transfer)
{
    if (!transfer->count || transfer->count > MOST_ORDERED || transfer->own || !is_of_one_share(transfer) || slow_transfers)
        return false;
    const struct gl_share *share = transfer->items[0].mem->gl->share->share;
    if (!gl_is_own_current(share) || !gl_orders_copies(share))
        return false;
    for (cl_uint i = 0; i < transfer->count; i++) {
        struct memobj_gl *gl = transfer->items[i].mem->gl;
        if (!gl->proven[transfer->acquires] || !gl_can_order(share, &gl->object) ||
            (transfer->acquires && !is_released(gl)))
            return false;
    }
    for (cl_uint i = 0; transfer->acquires && i < request->wait_count; i++)
        if (cmd_status(request->waits[i]) != CL_COMPLETE)
            return false;
    return true;
}

static enum gl_result run_check(struct gl_share *share, void *data)
{
    struct gl_transfer *transfer = data;
    for (cl_uint i = 0; i < transfer->count; i++)
        transfer->failed |= gl_check_unchanged(share, &transfer->items[i].mem->gl->object) != GL_FINE;
    return GL_FINE;
}

static bool are_unchanged(struct gl_transfer *transfer)
{
    bool asked = gl_share_call(transfer->items[0].mem->gl->share->share, run_check, transfer) == GL_FINE;
    bool failed = transfer->failed;
    transfer->failed = false; // the share's thread will find the error again
    return asked && !failed;
}

static void copy_in_order(const struct gl_transfer *transfer)
{
    for (cl_uint i = 0; i < transfer->count; i++) {
        struct memobj_gl *gl = transfer->items[i].mem->gl;
        if (!needs_copy(transfer, &transfer->items[i]))
            continue;
        gl_copy_ordered(gl->share->share, &gl->object, transfer->acquires);
        log_write(LOG_MEM, "%s %u is %s in order: %zu bytes, copied by the device", gl_kind_name(gl), gl->object.name,
                  transfer->acquires ? "read" : "written", transfer->items[i].mem->size);
    }
}

static void list_objects(const struct gl_transfer *transfer, const struct gl_object **objects)
{
    for (cl_uint i = 0; i < transfer->count; i++)
        objects[i] = &transfer->items[i].mem->gl->object;
}

// A part of the transfer's command, which keeps nothing alive itself.
static cl_int enqueue_semaphore(const struct cmd_request *request, struct gl_transfer *transfer, struct gl_order *order,
                                struct command **waits, struct command **out)
{
    struct cmd_binary *binary = &order->binary;
    const struct cmd_hold hold = {object_use(transfer->context), object_drop};
    const struct cmd_request part = {.queue = request->queue,
                                     .waits = waits ? waits : request->waits,
                                     .wait_count = waits ? 1 : request->wait_count,
                                     .holds = &hold,
                                     .hold_count = 1,
                                     .out = out};
    cl_int error = cmd_semaphores(&part, &binary, 1, transfer->acquires);
    if (error)
        object_drop(transfer->context);
    return error;
}

// OpenGL copies and signals; Vulkan waits, then takes the memory over.
static cl_int order_acquire(const struct cmd_request *request, struct gl_transfer *transfer, struct gl_order *order)
{
    const struct gl_object *objects[MOST_ORDERED];
    struct context_share *share = transfer->items[0].mem->gl->share;
    struct command *waits = NULL;
    struct cmd_request after = *request;
    copy_in_order(transfer);
    list_objects(transfer, objects);
    gl_semaphore_signal(share->share, order->name, objects, transfer->count);
    cl_int error = enqueue_semaphore(request, transfer, order, NULL, &waits);
    if (error)
        return error; // the semaphore stays signalled and is not used again
    after.waits = &waits;
    after.wait_count = 1;
    error = transfer_shared(&after, transfer);
    if (error)
        cmd_wait(&waits, 1); // the caller may reuse what it refers to
    gl_order_give(share, order, waits);
    return error;
}

// Nothing has changed: later acquires wait until kernels no longer read the mirrors. The command may
// be complete, and the transfer freed, when it has been enqueued.
static cl_int order_nothing(const struct cmd_request *request, const struct gl_transfer *transfer)
{
    struct _cl_mem *mems[MOST_ORDERED];
    const cl_uint count = transfer->count;
    struct command *released = NULL;
    struct cmd_request own = *request;
    own.out = &released;
    for (cl_uint i = 0; i < count; i++)
        mems[i] = object_use(transfer->items[i].mem);
    cl_int error = cmd_nothing(&own);
    for (cl_uint i = 0; i < count; i++) {
        if (!error)
            cmd_release(atomic_exchange(&mems[i]->gl->released, cmd_retain(released)));
        object_drop(mems[i]);
    }
    if (!error && request->out)
        *request->out = cmd_retain(released);
    cmd_release(released);
    return error;
}

static bool is_submitted(const struct cmd_request *request, struct command *command)
{
    cmd_flush(request->queue);
    cl_int status = cmd_status(command);
    return status >= CL_COMPLETE && status <= CL_SUBMITTED;
}

// Vulkan gives the memory away and signals; OpenGL waits and copies. The command is complete when
// OpenGL is, because the application may then use the object in another context.
static cl_int order_release(const struct cmd_request *request, struct gl_transfer *transfer, struct gl_order *order, bool *follows)
{
    const struct gl_object *objects[MOST_ORDERED];
    struct context_share *share = transfer->items[0].mem->gl->share;
    struct command *given = NULL, *signals = NULL;
    const struct cmd_request before = {
        .queue = request->queue, .waits = request->waits, .wait_count = request->wait_count, .out = &given};
    struct cmd_request after = *request;
    cl_int error = transfer_shared(&before, transfer);
    if (!error)
        error = enqueue_semaphore(request, transfer, order, &given, &signals);
    if (!error && is_submitted(request, signals)) {
        list_objects(transfer, objects);
        gl_semaphore_wait(share->share, order->name, objects, transfer->count);
        copy_in_order(transfer);
        gl_transfer_wait(transfer, share, gl_fence(share->share));
        transfer->order = order;
        transfer->at = transfer->count;
        *follows = true;
    } else {
        *follows = false;
        count_slow(transfer); // the share's thread copies, and the semaphore is not used again
    }
    after.waits = signals ? &signals : &given;
    after.wait_count = 1;
    if (!error)
        error = cmd_outside(&after, begin, transfer);
    if (error && given)
        cmd_wait(&given, 1); // the caller may reuse what it refers to
    cmd_release(given);
    cmd_release(signals);
    return error;
}

bool gl_transfer_order(const struct cmd_request *request, struct gl_transfer *transfer, cl_int *error, bool *follows)
{
    bool copies = false;
    *follows = true;
    if (!may_order(request, transfer))
        return false;
    for (cl_uint i = 0; i < transfer->count; i++)
        copies |= needs_copy(transfer, &transfer->items[i]);
    if (!copies && !transfer->acquires) {
        *error = order_nothing(request, transfer);
        return true;
    }
    struct context_share *share = transfer->items[0].mem->gl->share;
    struct gl_order *order = gl_order_take(share, device_of(&transfer->items[0], transfer->device_index));
    if (!order)
        return false;
    if (!are_unchanged(transfer)) {
        gl_order_give(share, order, NULL);
        return false;
    }
    *error = transfer->acquires ? order_acquire(request, transfer, order) : order_release(request, transfer, order, follows);
    return true;
}

cl_int gl_transfer_enqueue(const struct cmd_request *request, struct gl_transfer *transfer)
{
    if (transfer->acquires && transfer->own && transfer->own == transfer->count &&
        is_of_one_share(transfer))
        gl_share_call(transfer->items[0].mem->gl->share->share, check_now, transfer);
    bool outside = transfer->fence || transfer->count > transfer->own ||
                   (transfer->own && transfer->acquires && !transfer->ready);
    if (!outside)
        return transfer->own ? transfer_shared(request, transfer) : cmd_nothing(request);
    count_slow(transfer);
    return transfer->own && !transfer->failed ? enqueue_both(request, transfer)
                                              : cmd_outside(request, begin, transfer);
}
