// SPDX-License-Identifier: Apache-2.0
#include "object/command_buffer.h"

#include <stdlib.h>
#include <string.h>

static void *copy_list(const cl_ulong *list, size_t count)
{
    cl_ulong *copy = malloc(count * sizeof *copy);
    if (copy)
        memcpy(copy, list, count * sizeof *copy);
    return copy;
}

// ---- handles ------------------------------------------------------------------------------------

static void mutable_command_destroy(void *object)
{
    struct _cl_mutable_command_khr *handle = object;
    object_drop(handle->kernel);
    object_drop(handle->state.kernel);
    free(handle->property_list);
    free(handle);
}

cl_int mutable_command_create(struct _cl_kernel *kernel, const cl_command_properties_khr *list, size_t list_count,
                              struct _cl_mutable_command_khr **out)
{
    struct _cl_mutable_command_khr *handle = calloc(1, sizeof *handle);
    if (!handle)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&handle->base, OBJECT_MUTABLE_COMMAND, mutable_command_destroy);
    handle->kernel = object_use(kernel);
    handle->property_count = list_count;
    if (list_count && !(handle->property_list = copy_list(list, list_count))) {
        object_drop(handle);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *out = handle;
    return CL_SUCCESS;
}

void command_buffer_add_handle(struct _cl_command_buffer_khr *buffer, struct _cl_mutable_command_khr *handle)
{
    handle->buffer = buffer;
    handle->next = buffer->handles;
    buffer->handles = handle;
}

// ---- command buffers ----------------------------------------------------------------------------

static void command_buffer_destroy(void *object)
{
    struct _cl_command_buffer_khr *buffer = object;
    cmd_recording_destroy(buffer->recording);
    while (buffer->handles) {
        struct _cl_mutable_command_khr *handle = buffer->handles;
        buffer->handles = handle->next;
        object_drop(handle);
    }
    for (size_t i = 0; i < buffer->memory_count; i++)
        object_drop(buffer->memory[i]);
    free(buffer->memory);
    object_drop(buffer->queue);
    pthread_mutex_destroy(&buffer->lock);
    free(buffer->property_list);
    free(buffer);
}

cl_int command_buffer_create(struct _cl_command_queue *queue, cl_command_buffer_flags_khr flags,
                             const cl_command_buffer_properties_khr *list, size_t list_count,
                             struct _cl_command_buffer_khr **out)
{
    bool in_order = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct _cl_command_buffer_khr *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&buffer->base, OBJECT_COMMAND_BUFFER, command_buffer_destroy);
    pthread_mutex_init(&buffer->lock, NULL);
    buffer->queue = object_use(queue);
    buffer->flags = flags;
    buffer->property_count = list_count;
    cl_int error = CL_SUCCESS;
    if (list_count && !(buffer->property_list = copy_list(list, list_count)))
        error = CL_OUT_OF_HOST_MEMORY;
    if (!error)
        error = cmd_recording_create(queue->context->devices[queue->device_index].vk, in_order, &buffer->recording);
    if (error)
        object_drop(buffer);
    else
        *out = buffer;
    return error;
}

cl_int command_buffer_use(struct _cl_command_buffer_khr *buffer, struct _cl_mem *mem)
{
    for (size_t i = 0; i < buffer->memory_count; i++)
        if (buffer->memory[i] == mem)
            return CL_SUCCESS;
    if (buffer->memory_count == buffer->memory_capacity) {
        size_t capacity = buffer->memory_capacity ? buffer->memory_capacity * 2 : 8;
        struct _cl_mem **list = realloc(buffer->memory, capacity * sizeof *list);
        if (!list)
            return CL_OUT_OF_HOST_MEMORY;
        buffer->memory = list;
        buffer->memory_capacity = capacity;
    }
    buffer->memory[buffer->memory_count++] = object_use(mem);
    return CL_SUCCESS;
}
