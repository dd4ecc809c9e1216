// SPDX-License-Identifier: Apache-2.0
// Contexts open their devices, and close them when the last object of the context is gone.
#include "object/context.h"

#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "object/gl.h"
#include "util/gate.h"
#include "util/log.h"

static void context_call(void (*fn)(void), void *object, void *data)
{
    ((void(CL_CALLBACK *)(cl_context, void *))fn)(object, data);
}

static void context_destroy(void *object)
{
    struct _cl_context *context = object;
    object_run_callbacks(&context->callbacks, context, context_call);
    context_close_shares(context);
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (context->devices[i].vk)
            vk_device_close(context->devices[i].vk);
        address_map_finish(&context->devices[i].addresses);
        address_map_finish(&context->devices[i].pinned);
        free(context->devices[i].own_target);
    }
    pthread_mutex_destroy(&context->lock);
    address_map_finish(&context->shared);
    free(context->devices);
    free(context->properties);
    free(context);
}

static cl_int context_copy_properties(struct _cl_context *context,
                                      const cl_context_properties *properties)
{
    if (!properties)
        return CL_SUCCESS;
    size_t count = 1;
    while (properties[count - 1])
        count += 2;
    context->properties = malloc(count * sizeof *properties);
    if (!context->properties)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(context->properties, properties, count * sizeof *properties);
    context->property_count = count;
    return CL_SUCCESS;
}

static cl_int context_open_devices(struct _cl_context *context,
                                   struct _cl_device_id *const *devices, cl_uint count)
{
    context->devices = calloc(count, sizeof *context->devices);
    if (!context->devices)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++) {
        struct context_device *device = &context->devices[i];
        VkResult result = vk_device_open(devices[i]->physical, &device->vk);
        if (result != VK_SUCCESS) {
            log_write(LOG_API, "'%s' cannot be opened: %s", devices[i]->caps.name,
                      vk_result_name(result));
            device->vk = NULL;
            return result == VK_ERROR_OUT_OF_HOST_MEMORY ? CL_OUT_OF_HOST_MEMORY
                                                         : CL_DEVICE_NOT_AVAILABLE;
        }
        device->device = devices[i];
        device->target = &devices[i]->caps.target;
        address_map_init(&device->addresses);
        address_map_init(&device->pinned);
        context->device_count = i + 1;
    }
    return CL_SUCCESS;
}

// Implements CL_CONTEXT_MEMORY_INITIALIZE_KHR.
static cl_int context_zero_memory(struct _cl_context *context)
{
    cl_context_properties which = 0;
    for (size_t i = 0; i + 1 < context->property_count; i += 2)
        if (context->properties[i] == CL_CONTEXT_MEMORY_INITIALIZE_KHR)
            which = context->properties[i + 1];
    for (cl_uint i = 0; i < context->device_count && which; i++) {
        struct context_device *device = &context->devices[i];
        device->own_target = malloc(sizeof *device->own_target);
        if (!device->own_target)
            return CL_OUT_OF_HOST_MEMORY;
        // including padding: see program_binary.c
        memcpy(device->own_target, device->target, sizeof *device->target);
        device->own_target->zero_local = which & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
        device->own_target->zero_private = which & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
        device->target = device->own_target;
    }
    return CL_SUCCESS;
}

static void context_owned(void *object, bool by_application)
{
    (void)object;
    atomic_fetch_add(&device_references, by_application ? 1U : -1U);
}

cl_int context_create(struct _cl_device_id *const *devices, cl_uint count,
                      const cl_context_properties *properties, const struct gl_origin *gl, context_notify_fn notify,
                      void *data, struct _cl_context **out)
{
    struct _cl_context *context = calloc(1, sizeof *context);
    if (!context)
        return CL_OUT_OF_HOST_MEMORY;
    object_init(&context->base, OBJECT_CONTEXT, context_destroy);
    pthread_mutex_init(&context->lock, NULL);
    address_map_init(&context->shared);
    context->notify = notify;
    context->notify_data = data;
    cl_int error = context_copy_properties(context, properties);
    if (!error)
        error = context_open_devices(context, devices, count);
    if (!error)
        error = context_zero_memory(context);
    if (!error && gl)
        error = context_open_share(context, gl);
    if (error) {
        context_destroy(context);
        return error;
    }
    context->base.owned = context_owned;
    context_owned(context, true);
    *out = context;
    return CL_SUCCESS;
}

int context_find(const struct _cl_context *context, const struct _cl_device_id *device)
{
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (context->devices[i].device == device)
            return (int)i;
    }
    return -1;
}

bool context_addressed(const struct _cl_context *context, bool all)
{
    cl_uint count = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        count += device_caps_has(&context->devices[i].device->caps, KC_EXT_BUFFER_DEVICE_ADDRESS);
    return all ? count == context->device_count : count > 0;
}

cl_int context_add_callback(struct _cl_context *context, void (*fn)(void), void *data)
{
    return object_add_callback(&context->callbacks, &context->lock, fn, data);
}

void context_report(const struct _cl_context *context, const char *message)
{
    unsigned depth = gate_step_out();
    if (context->notify)
        context->notify(message, NULL, 0, context->notify_data);
    gate_step_in(depth);
}
