// SPDX-License-Identifier: Apache-2.0
// A command queue: a context, a device, and the command layer's queue.
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
    cl_queue_properties *property_list; // as passed, including the terminating 0; NULL: none was
                                        // passed
    size_t property_count;
    struct cmd_queue *commands; // NULL: a queue on the device
    // For a queue on the device: its number for kernels, bytes for records, and the next one in the
    // context.
    uint64_t number;
    cl_uint size;
    struct _cl_command_queue *next;
};

// properties: already checked. list may be NULL. `size`: for queues on the device. If the device
// already has a default queue and this one is to be the default, returns that one. Their number is
// not limited.
cl_int queue_create(struct _cl_context *context, int device_index,
                    cl_command_queue_properties properties, const cl_queue_properties *list,
                    size_t list_count, cl_uint size, struct _cl_command_queue **out);

// The device's default queue on the device, or NULL; without a reference.
struct _cl_command_queue *queue_default(struct _cl_context *context, int device_index);
void queue_set_default(struct _cl_command_queue *queue);

// What a kernel that enqueues kernels may use: the default queue's number, and the maximum needs of
// all queues.
struct queue_on_device {
    uint64_t number; // 0: no default queue
    cl_uint size;    // of the largest queue
    bool timed;      // a queue has CL_QUEUE_PROFILING_ENABLE
};
struct queue_on_device queue_on_device(struct _cl_context *context, int device_index);

#endif
