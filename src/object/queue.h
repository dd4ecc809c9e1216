// SPDX-License-Identifier: Apache-2.0
// A command queue: a context, a device, and the command layer's queue behind it.
#ifndef PUMICE_OBJECT_QUEUE_H
#define PUMICE_OBJECT_QUEUE_H

#include "command/command.h"
#include "object/context.h"

struct _cl_command_queue {
    struct object base;
    struct _cl_context *context;
    struct _cl_device_id *device;
    int device_index; // in the context
    cl_command_queue_properties properties;
    cl_queue_properties *property_list; // as given, terminating 0 included; NULL: none was given
    size_t property_count;
    struct cmd_queue *commands;
};

// properties: checked. list may be NULL.
cl_int queue_create(struct _cl_context *context, int device_index,
                    cl_command_queue_properties properties, const cl_queue_properties *list,
                    size_t list_count, struct _cl_command_queue **out);

#endif
