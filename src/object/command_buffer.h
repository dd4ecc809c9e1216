// SPDX-License-Identifier: Apache-2.0
// Command buffers, and handles of those of their commands that can be queried or updated.
#ifndef PUMICE_OBJECT_COMMAND_BUFFER_H
#define PUMICE_OBJECT_COMMAND_BUFFER_H

#include "command/replay.h"
#include "object/kernel.h"
#include "object/queue.h"

struct _cl_command_buffer_khr {
    struct object base;
    struct _cl_command_queue *queue; // counted
    cl_command_buffer_flags_khr flags;
    cl_command_buffer_properties_khr *property_list; // as passed, including the terminating 0;
                                                     // NULL: none was passed
    size_t property_count;

    pthread_mutex_t lock; // guards the following members; taken before all other locks
    bool finalized;
    uint32_t incomplete; // commands that lack arguments
    struct cmd_recording *recording;
    struct _cl_mutable_command_khr *handles;
    struct _cl_mem **memory; // counted: memory in use, if the context has several devices
    size_t memory_count, memory_capacity;
};

// The parts of a launch that can be updated.
struct launch_state {
    struct _cl_kernel *kernel; // a copy with its arguments; NULL: nothing can be updated
    size_t offset[3], global[3], local[3];
    bool has_local;
    bool incomplete; // an argument is not set: the launch is skipped
};

struct _cl_mutable_command_khr {
    struct object base;
    struct _cl_mutable_command_khr *next; // in its command buffer, which owns it
    struct _cl_command_buffer_khr *buffer;
    struct _cl_kernel *kernel; // as passed, counted
    uint32_t point;
    cl_uint dims;
    cl_mutable_dispatch_fields_khr fields;
    cl_command_properties_khr *property_list;
    size_t property_count;
    struct launch_state state;
    struct mutable_update *update; // of the update call in progress
};

// properties: already checked. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int command_buffer_create(struct _cl_command_queue *queue, cl_command_buffer_flags_khr flags,
                             const cl_command_buffer_properties_khr *list, size_t list_count,
                             struct _cl_command_buffer_khr **out);

// Creates a handle for the launch that is recorded next; command_buffer_add_handle() makes it
// valid.
cl_int mutable_command_create(struct _cl_kernel *kernel, const cl_command_properties_khr *list, size_t list_count,
                              struct _cl_mutable_command_khr **out);
void command_buffer_add_handle(struct _cl_command_buffer_khr *buffer, struct _cl_mutable_command_khr *handle);

// Records that the buffer's commands use the object. CL_OUT_OF_HOST_MEMORY.
cl_int command_buffer_use(struct _cl_command_buffer_khr *buffer, struct _cl_mem *mem);

#endif
