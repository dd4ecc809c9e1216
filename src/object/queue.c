// SPDX-License-Identifier: Apache-2.0
// Command queues.
#include "object/queue.h"

#include <stdlib.h>
#include <string.h>

#include "vulkan/submit.h"

// ---- queues on the device -----------------------------------------------------------------------

static void queue_link(struct _cl_command_queue *queue)
{
    struct context_device *on = &queue->context->devices[queue->device_index];
    queue->next = on->queues;
    on->queues = queue;
    queue->number = ++queue->context->last_queue;
    if (queue->properties & CL_QUEUE_ON_DEVICE_DEFAULT)
        on->default_queue = queue;
}

static void queue_unlink(struct _cl_command_queue *queue)
{
    struct context_device *on = &queue->context->devices[queue->device_index];
    pthread_mutex_lock(&queue->context->lock);
    for (struct _cl_command_queue **at = &on->queues; *at; at = &(*at)->next)
        if (*at == queue) {
            *at = queue->next;
            break;
        }
    if (on->default_queue == queue)
        on->default_queue = NULL;
    pthread_mutex_unlock(&queue->context->lock);
}

struct _cl_command_queue *queue_default(struct _cl_context *context, int device_index)
{
    pthread_mutex_lock(&context->lock);
    struct _cl_command_queue *queue = context->devices[device_index].default_queue;
    pthread_mutex_unlock(&context->lock);
    return queue;
}

void queue_set_default(struct _cl_command_queue *queue)
{
    pthread_mutex_lock(&queue->context->lock);
    queue->context->devices[queue->device_index].default_queue = queue;
    pthread_mutex_unlock(&queue->context->lock);
}

struct queue_on_device queue_on_device(struct _cl_context *context, int device_index)
{
    const struct context_device *on = &context->devices[device_index];
    struct queue_on_device all = {0};
    pthread_mutex_lock(&context->lock);
    if (on->default_queue)
        all.number = on->default_queue->number;
    for (const struct _cl_command_queue *queue = on->queues; queue; queue = queue->next) {
        all.size = queue->size > all.size ? queue->size : all.size;
        all.timed |= (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    }
    pthread_mutex_unlock(&context->lock);
    return all;
}

// ---- life ---------------------------------------------------------------------------------------

static void queue_destroy(void *object)
{
    struct _cl_command_queue *queue = object;
    if (queue->commands)
        cmd_queue_release(queue->commands);
    if (queue->number)
        queue_unlink(queue);
    object_drop(queue->context);
    free(queue->property_list);
    free(queue);
}

static void count_owned(const struct _cl_command_queue *queue, bool more)
{
    atomic_fetch_add(&device_references, more ? 1U : -1U);
    vk_queues_count(queue->context->devices[queue->device_index].vk, more);
}

// Events may keep the queue for long, so pending commands are flushed when the application releases
// it.
static void queue_owned(void *object, bool by_application)
{
    struct _cl_command_queue *queue = object;
    if (!queue->commands)
        return;
    count_owned(queue, by_application);
    if (!by_application)
        cmd_flush(queue->commands);
    cmd_queue_set_app_released(queue->commands, !by_application);
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

// Creates the command layer's queue for a host queue; adds a device queue to the context's list.
static cl_int queue_begin(struct _cl_command_queue *queue, struct _cl_command_queue **existing)
{
    struct context_device *on = &queue->context->devices[queue->device_index];
    cl_int error = CL_SUCCESS;
    if (!(queue->properties & CL_QUEUE_ON_DEVICE)) {
        error = cmd_queue_create(on->vk, queue->properties, &queue->commands);
        if (error)
            return error;
        cmd_queue_set_owner(queue->commands, queue->context);
        cmd_queue_warm_up(queue->commands);
        return CL_SUCCESS;
    }
    pthread_mutex_lock(&queue->context->lock);
    if (queue->properties & CL_QUEUE_ON_DEVICE_DEFAULT && on->default_queue && object_try_use(on->default_queue))
        *existing = on->default_queue;
    else
        queue_link(queue);
    pthread_mutex_unlock(&queue->context->lock);
    return error;
}

cl_int queue_create(struct _cl_context *context, int device_index,
                    cl_command_queue_properties properties, const cl_queue_properties *list,
                    size_t list_count, cl_uint size, struct _cl_command_queue **out)
{
    struct _cl_command_queue *queue = calloc(1, sizeof *queue), *existing = NULL;
    if (!queue)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&queue->base, OBJECT_QUEUE, queue_destroy);
    queue->base.owned = queue_owned;
    queue->context = object_use(context);
    queue->device = context->devices[device_index].device;
    queue->device_index = device_index;
    queue->properties = properties;
    queue->size = size;
    cl_int error = queue_copy_list(queue, list, list_count);
    if (!error)
        error = queue_begin(queue, &existing);
    if (error || existing) {
        queue->commands = NULL;
        queue_destroy(queue);
    }
    if (existing) {
        object_retain(existing);
        object_drop(existing);
    }
    if (!error && !existing && queue->commands)
        count_owned(queue, true);
    if (!error)
        *out = existing ? existing : queue;
    return error;
}
