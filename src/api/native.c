// SPDX-License-Identifier: Apache-2.0
// Native kernels: functions of the application that the completion thread calls in queue order.
//
// The function gets memory objects as pointers: into their memory if it is mapped on the host, else
// to a copy that is filled before the call and written back after it.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"

struct native_memory {
    struct vk_buffer *buffer;
    uint64_t offset;
    size_t size;
    void *copy; // NULL: mapped
};

struct native_call {
    void(CL_CALLBACK *fn)(void *);
    struct vk_device *device;
    void *args;
    cl_uint count;
    struct native_memory memory[];
};

// ---- the call -----------------------------------------------------------------------------------

static void copy_in(struct native_call *call)
{
    for (cl_uint i = 0; i < call->count; i++) {
        struct native_memory *m = &call->memory[i];
        if (m->copy && cmd_download(call->device, m->buffer, m->offset, m->copy, m->size))
            log_write(LOG_QUEUE, "reading a native kernel's buffer of %zu bytes failed", m->size);
    }
}

static void copy_out(struct native_call *call)
{
    for (cl_uint i = 0; i < call->count; i++) {
        struct native_memory *m = &call->memory[i];
        if (m->copy && cmd_upload(call->device, m->buffer, m->offset, m->copy, m->size))
            log_write(LOG_QUEUE, "writing a native kernel's buffer of %zu bytes failed", m->size);
    }
}

static void run_call(void *data)
{
    struct native_call *call = data;
    copy_in(call);
    call->fn(call->args);
    copy_out(call);
}

static void release_call(void *data)
{
    struct native_call *call = data;
    for (cl_uint i = 0; i < call->count; i++)
        free(call->memory[i].copy);
    free(call->args);
    free(call);
}

// ---- arguments ----------------------------------------------------------------------------------

struct native_args {
    const void *args;
    size_t size;
    cl_uint count;
    const cl_mem *list;
    const void **places;
};

static cl_int check_args(const struct native_args *a)
{
    if (!a->args != !a->size || (a->count && !a->args))
        return REFUSE(CL_INVALID_VALUE, "invalid arguments: %zu bytes at %p", a->size, a->args);
    if (!a->count != !a->list || !a->count != !a->places)
        return REFUSE(CL_INVALID_VALUE, "%u memory objects, but the lists do not match", a->count);
    for (cl_uint i = 0; i < a->count; i++) {
        size_t at = (size_t)((const char *)a->places[i] - (const char *)a->args);
        if (at > a->size || sizeof(cl_mem) > a->size - at)
            return REFUSE(CL_INVALID_VALUE, "location %u is outside of the arguments", i);
    }
    return CL_SUCCESS;
}

// Sets the pointer for memory object i in the copy of the arguments.
static cl_int add_memory(struct api_enqueue *enqueue, struct native_call *call,
                         const struct native_args *a, cl_uint i)
{
    struct native_memory *m = &call->memory[i];
    cl_mem mem = a->list[i];
    if (!object_is(mem, OBJECT_MEM) || mem->context != enqueue->queue->context ||
        mem->type != CL_MEM_OBJECT_BUFFER)
        return REFUSE(CL_INVALID_MEM_OBJECT, "invalid memory object %u", i);
    TRY(api_enqueue_buffer(enqueue, mem, &m->buffer, &m->offset));
    m->size = mem->size;
    if (!m->buffer->host && !(m->copy = malloc(m->size)))
        return CL_OUT_OF_HOST_MEMORY;
    void *pointer = m->copy ? m->copy : (char *)m->buffer->host + m->offset;
    size_t at = (size_t)((const char *)a->places[i] - (const char *)a->args);
    memcpy((char *)call->args + at, &pointer, sizeof pointer);
    return CL_SUCCESS;
}

static cl_int enqueue_native(struct api_enqueue *enqueue, void(CL_CALLBACK *fn)(void *),
                             const struct native_args *a)
{
    if (!fn)
        return REFUSE(CL_INVALID_VALUE, "no function");
    TRY(check_args(a));
    struct native_call *call = calloc(1, sizeof *call + a->count * sizeof *call->memory);
    if (!call)
        return CL_OUT_OF_HOST_MEMORY;
    call->fn = fn;
    call->count = a->count;
    call->device = enqueue->queue->context->devices[enqueue->queue->device_index].vk;
    TRY(api_enqueue_keep(enqueue, call, release_call));
    call->args = a->size ? malloc(a->size) : NULL;
    if (a->size && !call->args)
        return CL_OUT_OF_HOST_MEMORY;
    if (a->size)
        memcpy(call->args, a->args, a->size);
    for (cl_uint i = 0; i < a->count; i++)
        TRY(add_memory(enqueue, call, a, i));
    return cmd_native(&enqueue->request, run_call, call);
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue,
                                         void(CL_CALLBACK *user_func)(void *), void *args,
                                         size_t cb_args, cl_uint num_mem_objects,
                                         const cl_mem *mem_list, const void **args_mem_loc,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    const struct native_args a = {args, cb_args, num_mem_objects, mem_list, args_mem_loc};
    cl_int error = enqueue_native(&enqueue, user_func, &a);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_NATIVE_KERNEL, event);
}
