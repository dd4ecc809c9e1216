// SPDX-License-Identifier: Apache-2.0
// An event: a handle of a command of the command layer, which has its status and times.
#ifndef PUMICE_OBJECT_EVENT_H
#define PUMICE_OBJECT_EVENT_H

#include "object/queue.h"

typedef void(CL_CALLBACK *event_fn)(cl_event event, cl_int status, void *data);

struct _cl_event {
    struct object base;
    struct _cl_context *context;
    struct _cl_command_queue *queue; // NULL: a user event
    cl_command_type type;
    struct command *command;
};

// Takes over the caller's reference of `command`, even on failure. queue may be NULL.
cl_int event_create(struct _cl_context *context, struct _cl_command_queue *queue,
                    cl_command_type type, struct command *command, struct _cl_event **out);

// Calls `fn` once when the status is reached; the event lives until `fn` returns.
cl_int event_on_status(struct _cl_event *event, cl_int status, event_fn fn, void *data);

#endif
