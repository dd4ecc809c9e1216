// SPDX-License-Identifier: Apache-2.0
// Command queues.
#include "object/queue.h"

#include <stdlib.h>
#include <string.h>

static void queue_destroy(void *object)
{
    struct _cl_command_queue *queue = object;
    if (queue->commands)
        cmd_queue_release(queue->commands);
    object_drop(queue->context);
    free(queue->property_list);
    free(queue);
}

// Events may keep the queue for long: what is enqueued is sent off when the application lets go.
static void queue_owned(void *object, bool by_application)
{
    struct _cl_command_queue *queue = object;
    if (!by_application && queue->commands)
        cmd_flush(queue->commands);
}

static cl_int queue_copy_list(struct _cl_command_queue *queue, const cl_queue_properties *list,
                              size_t count)
{
    if (!list)
        return CL_SUCCESS;
    queue->property_list = malloc(count * sizeof *list);
    if (!queue->property_list)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(queue->property_list, list, count * sizeof *list);
    queue->property_count = count;
    return CL_SUCCESS;
}

cl_int queue_create(struct _cl_context *context, int device_index,
                    cl_command_queue_properties properties, const cl_queue_properties *list,
                    size_t list_count, struct _cl_command_queue **out)
{
    struct _cl_command_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&queue->base, OBJECT_QUEUE, queue_destroy);
    queue->base.owned = queue_owned;
    queue->context = object_use(context);
    queue->device = context->devices[device_index].device;
    queue->device_index = device_index;
    queue->properties = properties;
    cl_int error = queue_copy_list(queue, list, list_count);
    if (!error)
        error = cmd_queue_create(context->devices[device_index].vk, properties, &queue->commands);
    if (error) {
        queue->commands = NULL;
        queue_destroy(queue);
        return error;
    }
    cmd_queue_set_owner(queue->commands, context);
    *out = queue;
    return CL_SUCCESS;
}
