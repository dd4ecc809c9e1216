// SPDX-License-Identifier: Apache-2.0
// Argument checks, and the common parts of all enqueues.
#include "api/api.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/gl.h"
#include "util/log.h"

cl_int api_refuse(cl_int code, const char *call, const char *format, ...)
{
    if (!log_enabled(LOG_API))
        return code;
    char why[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    log_write(LOG_API, "%s: %s (%d)", call, why, code);
    return code;
}

struct type_row {
    cl_int code;
    const char *name;
};

static const struct type_row type_rows[] = {
    [OBJECT_PLATFORM - OBJECT_PLATFORM] = {CL_INVALID_PLATFORM, "platform"},
    [OBJECT_DEVICE - OBJECT_PLATFORM] = {CL_INVALID_DEVICE, "device"},
    [OBJECT_CONTEXT - OBJECT_PLATFORM] = {CL_INVALID_CONTEXT, "context"},
    [OBJECT_QUEUE - OBJECT_PLATFORM] = {CL_INVALID_COMMAND_QUEUE, "command queue"},
    [OBJECT_MEM - OBJECT_PLATFORM] = {CL_INVALID_MEM_OBJECT, "memory object"},
    [OBJECT_PROGRAM - OBJECT_PLATFORM] = {CL_INVALID_PROGRAM, "program"},
    [OBJECT_KERNEL - OBJECT_PLATFORM] = {CL_INVALID_KERNEL, "kernel"},
    [OBJECT_EVENT - OBJECT_PLATFORM] = {CL_INVALID_EVENT, "event"},
    [OBJECT_SAMPLER - OBJECT_PLATFORM] = {CL_INVALID_SAMPLER, "sampler"},
    [OBJECT_SEMAPHORE - OBJECT_PLATFORM] = {CL_INVALID_SEMAPHORE_KHR, "semaphore"},
    [OBJECT_COMMAND_BUFFER - OBJECT_PLATFORM] = {CL_INVALID_COMMAND_BUFFER_KHR, "command buffer"},
    [OBJECT_MUTABLE_COMMAND - OBJECT_PLATFORM] = {CL_INVALID_MUTABLE_COMMAND_KHR, "command's handle"},
};

static bool is_of_type(const void *handle, enum object_type type)
{
    if (type == OBJECT_PLATFORM)
        return handle == &device_platform;
    return type == OBJECT_DEVICE ? device_is_valid(handle) : object_is(handle, type);
}

// Platforms and devices can be queried in a forked child, too: their data needs no lock.
static bool is_static(enum object_type type)
{
    return type == OBJECT_PLATFORM || type == OBJECT_DEVICE;
}

cl_int api_check(const void *handle, enum object_type type)
{
    const struct type_row *row = &type_rows[type - OBJECT_PLATFORM];
    if (!is_of_type(handle, type))
        return REFUSE(row->code, "%p is not a %s", handle, row->name);
    if (!is_static(type) && !object_is_ours(handle))
        return REFUSE(row->code, "%s %p belongs to the parent process", row->name, handle);
    return CL_SUCCESS;
}

cl_int api_check_queue(cl_command_queue queue)
{
    TRY(api_check(queue, OBJECT_QUEUE));
    if (!queue->commands)
        return REFUSE(CL_INVALID_COMMAND_QUEUE, "queue %p is a device queue, which the host cannot use", (void *)queue);
    return CL_SUCCESS;
}

cl_int api_retain(void *handle, enum object_type type)
{
    TRY(api_check(handle, type));
    object_retain(handle);
    return CL_SUCCESS;
}

cl_int api_release(void *handle, enum object_type type)
{
    if (object_is(handle, type) && !object_is_ours(handle))
        return CL_SUCCESS;
    TRY(api_check(handle, type));
    if (!object_release(handle))
        return REFUSE(type_rows[type - OBJECT_PLATFORM].code, "%p is already released",
                      handle);
    return CL_SUCCESS;
}

cl_int api_get_references(const void *object, struct info *info)
{
    info_uint(info, object_references(object));
    return CL_SUCCESS;
}

static cl_int check_any_waits(const struct _cl_context *context, cl_uint count, const cl_event *list)
{
    if (!list != !count)
        return REFUSE(CL_INVALID_EVENT_WAIT_LIST, "%u events in a list that is %s", count,
                      list ? "non-NULL" : "NULL");
    for (cl_uint i = 0; i < count; i++) {
        if (!object_is(list[i], OBJECT_EVENT))
            return REFUSE(CL_INVALID_EVENT_WAIT_LIST, "entry %u is not an event", i);
        if (list[i]->context != context)
            return REFUSE(CL_INVALID_CONTEXT, "event %u of the wait list belongs to another context", i);
    }
    return CL_SUCCESS;
}

cl_int api_check_waits(const struct _cl_context *context, cl_uint count, const cl_event *list)
{
    TRY(check_any_waits(context, count, list));
    for (cl_uint i = 0; i < count; i++)
        if (list[i]->type == CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR || list[i]->type == CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR)
            return REFUSE(CL_INVALID_EVENT, "event %u of the wait list is a fence: only acquire and release commands can wait "
                                            "for it", i);
    return CL_SUCCESS;
}

// ---- enqueues -----------------------------------------------------------------------------------

cl_int api_enqueue_begin(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                         const cl_event *waits, const cl_event *event)
{
    TRY(api_check_queue(queue));
    TRY(api_check_waits(queue->context, wait_count, waits));
    return api_enqueue_begin_any(enqueue, queue, wait_count, waits, event);
}

cl_int api_enqueue_begin_any(struct api_enqueue *enqueue, cl_command_queue queue, cl_uint wait_count,
                             const cl_event *waits, const cl_event *event)
{
    TRY(api_check_queue(queue));
    TRY(check_any_waits(queue->context, wait_count, waits));
    if (vk_device_check(queue->context->devices[queue->device_index].vk) != VK_SUCCESS)
        return REFUSE(cmd_error(VK_ERROR_DEVICE_LOST), "the device is lost");
    enqueue->queue = queue;
    enqueue->command = NULL;
    enqueue->recorded = enqueue->only_reads = false;
    enqueue->waits = enqueue->small_waits;
    enqueue->holds = enqueue->small_holds;
    enqueue->hold_capacity = API_SMALL;
    if (wait_count > API_SMALL) {
        enqueue->waits = malloc(wait_count * sizeof *enqueue->waits);
        if (!enqueue->waits)
            return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; i < wait_count; i++)
        enqueue->waits[i] = waits[i]->command;
    enqueue->request = (struct cmd_request){
        .queue = queue->commands,
        .waits = enqueue->waits,
        .wait_count = wait_count,
        .holds = enqueue->holds,
        .out = event ? &enqueue->command : NULL,
    };
    return CL_SUCCESS;
}

cl_int api_enqueue_record(struct api_enqueue *enqueue, cl_command_queue queue, struct cmd_queue *recorded)
{
    TRY(api_enqueue_begin(enqueue, queue, 0, NULL, NULL));
    enqueue->request.queue = recorded;
    enqueue->recorded = true;
    return CL_SUCCESS;
}

void api_enqueue_block(struct api_enqueue *enqueue, cl_bool blocking)
{
    if (!blocking)
        return;
    enqueue->request.blocking = true;
    enqueue->request.out = &enqueue->command; // to distinguish a refused command from a failed one
}

static cl_int enqueue_grow(struct api_enqueue *enqueue)
{
    uint32_t capacity = enqueue->hold_capacity * 2;
    bool small = enqueue->holds == enqueue->small_holds;
    struct cmd_hold *holds =
        realloc(small ? NULL : enqueue->holds, capacity * sizeof *enqueue->holds);
    if (!holds)
        return CL_OUT_OF_HOST_MEMORY;
    if (small)
        memcpy(holds, enqueue->small_holds, sizeof enqueue->small_holds);
    enqueue->holds = holds;
    enqueue->hold_capacity = capacity;
    enqueue->request.holds = holds;
    return CL_SUCCESS;
}

cl_int api_enqueue_keep(struct api_enqueue *enqueue, void *data, void (*release)(void *data))
{
    if (enqueue->request.hold_count == enqueue->hold_capacity && enqueue_grow(enqueue)) {
        release(data);
        return CL_OUT_OF_HOST_MEMORY;
    }
    enqueue->holds[enqueue->request.hold_count++] = (struct cmd_hold){data, release};
    return CL_SUCCESS;
}

cl_int api_enqueue_hold(struct api_enqueue *enqueue, void *object)
{
    return api_enqueue_keep(enqueue, object_use(object), object_drop);
}

static void release_memory(void *mem)
{
    object_drop(mem);
}

static bool several_devices(const struct api_enqueue *enqueue)
{
    return enqueue->queue->context->device_count > 1;
}

cl_int api_enqueue_memory(struct api_enqueue *enqueue, cl_mem mem)
{
    TRY(api_enqueue_keep(enqueue, object_use(mem), release_memory));
    if (!enqueue->only_reads)
        memobj_note_change(mem);
    enqueue->only_reads = false;
    if (several_devices(enqueue)) { // an additional reference, for enqueue_note_memory()
        object_use(mem);
        enqueue->request.out = &enqueue->command;
    }
    return CL_SUCCESS;
}

cl_int api_enqueue_surface(struct api_enqueue *enqueue, cl_mem image,
                           const struct cmd_surface **surface)
{
    TRY(api_enqueue_memory(enqueue, image));
    return memobj_surface(image, enqueue->queue->device_index, surface);
}

cl_int api_enqueue_buffer(struct api_enqueue *enqueue, cl_mem mem, struct vk_buffer **buffer,
                          uint64_t *offset)
{
    TRY(api_enqueue_memory(enqueue, mem));
    return memobj_buffer(mem, enqueue->queue->device_index, buffer, offset);
}

cl_int api_enqueue_pinned(struct api_enqueue *enqueue, const void *pointer)
{
    int index = enqueue->queue->device_index;
    size_t offset;
    struct _cl_mem *mem = address_map_find(&enqueue->queue->context->devices[index].pinned,
                                           (uintptr_t)pointer, &offset);
    if (!mem)
        return CL_SUCCESS;
    enqueue->request.pinned = &mem->copies[index].buffer;
    return api_enqueue_keep(enqueue, mem, object_drop);
}

bool api_enqueue_next_memory(const struct api_enqueue *enqueue, uint32_t *at, struct _cl_mem **mem)
{
    while (*at < enqueue->request.hold_count) {
        const struct cmd_hold *hold = &enqueue->holds[(*at)++];
        *mem = hold->object;
        if (hold->release == release_memory)
            return true;
    }
    return false;
}

// In contexts with several devices, records the last command that used each object. The command
// owns the holds by now; the additional references keep the objects alive.
static void enqueue_note_memory(struct api_enqueue *enqueue, bool taken)
{
    if (!several_devices(enqueue))
        return;
    for (uint32_t i = 0; i < enqueue->request.hold_count; i++) {
        if (enqueue->holds[i].release != release_memory)
            continue;
        if (taken && enqueue->command)
            memobj_used(enqueue->holds[i].object, enqueue->queue->device_index, enqueue->command);
        object_drop(enqueue->holds[i].object);
    }
}

cl_int api_enqueue_end(struct api_enqueue *enqueue, cl_int error, cl_command_type type,
                       cl_event *event)
{
    bool taken =
        !error || enqueue->command; // a blocking command may fail after it has been enqueued
    enqueue_note_memory(enqueue, taken);
    for (uint32_t i = 0; !taken && i < enqueue->request.hold_count; i++)
        enqueue->holds[i].release(enqueue->holds[i].object);
    if (!error && event)
        error =
            event_create(enqueue->queue->context, enqueue->queue, type, enqueue->command, event);
    else
        cmd_release(enqueue->command);
    if (enqueue->holds != enqueue->small_holds)
        free(enqueue->holds);
    if (enqueue->waits != enqueue->small_waits)
        free(enqueue->waits);
    return error;
}
