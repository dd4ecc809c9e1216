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
    struct cmd_queue *commands; // NULL: it is on the device
    // Of one on the device: what kernels know it by, bytes of records, and its neighbour among the context's.
    uint64_t number;
    cl_uint size;
    struct _cl_command_queue *next;
};

// properties: checked. list may be NULL. `size`: of one on the device; where there is a default one already and this is to be
// it, that one is returned. They cost next to nothing: no number of them is too large.
cl_int queue_create(struct _cl_context *context, int device_index,
                    cl_command_queue_properties properties, const cl_queue_properties *list,
                    size_t list_count, cl_uint size, struct _cl_command_queue **out);

// The device's default queue on the device, or NULL; a number, not a count, for what only looks at it.
struct _cl_command_queue *queue_default(struct _cl_context *context, int device_index);
void queue_set_default(struct _cl_command_queue *queue);

// What a kernel that enqueues others may use: the default queue's number, and the needs of all.
struct queue_on_device {
    uint64_t number; // 0: there is no default one
    cl_uint size;    // of the largest
    bool timed;      // one has CL_QUEUE_PROFILING_ENABLE
};
struct queue_on_device queue_on_device(struct _cl_context *context, int device_index);

#endif
