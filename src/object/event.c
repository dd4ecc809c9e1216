// SPDX-License-Identifier: Apache-2.0
// Events are thin: the command layer has the status, the times and the callbacks.
#include "object/event.h"

#include <stdlib.h>

#include "util/gate.h"

static void event_destroy(void *object)
{
    struct _cl_event *event = object;
    cmd_release(event->command);
    object_drop(event->queue);
    object_drop(event->context);
    free(event);
}

// What is left can still be set, as long as commands wait for it.
static void user_destroy(void *object)
{
    struct _cl_event *event = object;
    object_drop(event->context);
    cmd_user_leave(event->command, event);
}

static void user_owned(void *object, bool by_application)
{
    const struct _cl_event *event = object;
    if (!by_application)
        cmd_user_abandon(event->command);
}

cl_int event_create(struct _cl_context *context, struct _cl_command_queue *queue,
                    cl_command_type type, struct command *command, struct _cl_event **out)
{
    struct _cl_event *event = calloc(1, sizeof *event);
    if (!event) {
        cmd_release(command);
        return CL_OUT_OF_HOST_MEMORY;
    }
    object_init(&event->base, OBJECT_EVENT, queue ? event_destroy : user_destroy);
    if (!queue) {
        event->base.owned = user_owned;
        event->base.type_after = OBJECT_RELEASED_EVENT;
    }
    event->context = object_use(context);
    event->queue = queue ? object_use(queue) : NULL;
    event->type = type;
    event->command = command;
    *out = event;
    return CL_SUCCESS;
}

struct event_callback {
    struct _cl_event *event;
    event_fn fn;
    void *data;
    cl_int status; // that it was registered for
};

static void event_call(struct command *command, cl_int status, void *data)
{
    struct event_callback *callback = data;
    (void)command;
    // Passes an error on; otherwise the application gets the status that it registered for.
    callback->fn(callback->event, status < 0 ? status : callback->status, callback->data);
    struct gate_visitor *visitor = gate_enter(); // this may be the last reference to a queue
    object_drop(callback->event);
    gate_leave(&visitor);
    free(callback);
}

static void event_drop(void *data)
{
    struct event_callback *callback = data;
    object_drop(callback->event);
    free(callback);
}

cl_int event_on_status(struct _cl_event *event, cl_int status, event_fn fn, void *data)
{
    struct event_callback *callback = malloc(sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    *callback = (struct event_callback){object_use(event), fn, data, status};
    cl_int error = cmd_on_status(event->command, status, event_call, callback, event_drop);
    if (error) {
        object_drop(event);
        free(callback);
    }
    return error;
}
