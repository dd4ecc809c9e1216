// SPDX-License-Identifier: Apache-2.0
// Recording one command: from arguments to a sync point.
#ifndef PUMICE_API_COMMAND_BUFFER_H
#define PUMICE_API_COMMAND_BUFFER_H

#include "api/record.h"
#include "object/command_buffer.h"

// All parts of a launch that can be updated.
#define COMMAND_BUFFER_FIELDS                                                                                          \
    (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | \
     CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

// The parameters common to all recording functions.
struct record_call {
    cl_command_buffer_khr buffer;
    cl_command_queue queue;
    const cl_command_properties_khr *properties;
    cl_uint wait_count;
    const cl_sync_point_khr *waits;
    cl_sync_point_khr *point;
    cl_mutable_command_khr *handle;
};

#define RECORD_CALL                                                                                                    \
    {command_buffer,       command_queue, properties,    num_sync_points_in_wait_list,                                 \
     sync_point_wait_list, sync_point,    mutable_handle}

// Checks the common parameters and begins a request. The buffer stays locked until record_end(),
// which every successful begin needs. `launch`: the caller handles properties and the handle.
cl_int record_begin(const struct record_call *call, struct api_enqueue *enqueue, bool launch);
cl_int record_end(const struct record_call *call, struct api_enqueue *enqueue, cl_int error);

// Whether all arguments are set.
bool record_complete(const struct _cl_kernel *kernel);

// ext_mutable_dispatch.c: CL_INVALID_VALUE
cl_int record_read_properties(const cl_command_properties_khr *list, cl_mutable_dispatch_fields_khr *fields,
                              size_t *count);
// Creates a handle for a launch that is about to be recorded.
cl_int record_make_handle(const struct record_call *call, const struct launch_call *launch,
                          struct _cl_mutable_command_khr **handle);

#endif
