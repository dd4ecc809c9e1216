// SPDX-License-Identifier: Apache-2.0
// Command buffers, and the handles of those of their commands that can be asked or changed.
#ifndef PUMICE_OBJECT_COMMAND_BUFFER_H
#define PUMICE_OBJECT_COMMAND_BUFFER_H

#include "command/replay.h"
#include "object/kernel.h"
#include "object/queue.h"

struct _cl_command_buffer_khr {
    struct object base;
    struct _cl_command_queue *queue; // counted
    cl_command_buffer_flags_khr flags;
    cl_command_buffer_properties_khr *property_list; // as given, terminating 0 included; NULL: none was given
    size_t property_count;

    pthread_mutex_t lock; // of the rest; before all others
    bool finalized;
    uint32_t incomplete; // commands that lack arguments
    struct cmd_recording *recording;
    struct _cl_mutable_command_khr *handles;
    struct _cl_mem **memory; // counted: what is used, where the context has several devices
    size_t memory_count, memory_capacity;
};

// What of a launch can be changed.
struct launch_state {
    struct _cl_kernel *kernel; // a copy, with the arguments; NULL: nothing can be changed
    size_t offset[3], global[3], local[3];
    bool has_local;
    bool incomplete; // an argument is missing: nothing is launched
};

struct _cl_mutable_command_khr {
    struct object base;
    struct _cl_mutable_command_khr *next; // in its command buffer, with which it goes
    struct _cl_command_buffer_khr *buffer;
    struct _cl_kernel *kernel; // as given, counted
    uint32_t point;
    cl_uint dims;
    cl_mutable_dispatch_fields_khr fields;
    cl_command_properties_khr *property_list;
    size_t property_count;
    struct launch_state state;
    struct mutable_update *update; // of the call under way
};

// properties: checked. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int command_buffer_create(struct _cl_command_queue *queue, cl_command_buffer_flags_khr flags,
                             const cl_command_buffer_properties_khr *list, size_t list_count,
                             struct _cl_command_buffer_khr **out);

// A handle for the launch that is recorded next; it becomes one with command_buffer_add_handle().
cl_int mutable_command_create(struct _cl_kernel *kernel, const cl_command_properties_khr *list, size_t list_count,
                              struct _cl_mutable_command_khr **out);
void command_buffer_add_handle(struct _cl_command_buffer_khr *buffer, struct _cl_mutable_command_khr *handle);

// Remembers that its commands use the object. CL_OUT_OF_HOST_MEMORY.
cl_int command_buffer_use(struct _cl_command_buffer_khr *buffer, struct _cl_mem *mem);

#endif
