// SPDX-License-Identifier: Apache-2.0
// Pipes on devices that have none: handles are checked, then the specification's error for that.
#include "api/api.h"

static cl_int no_pipe(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has pipes");
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                cl_int *errcode_ret)
{
    API_CALL;
    (void)flags, (void)pipe_packet_size, (void)pipe_max_packets, (void)properties;
    api_set_error(errcode_ret, no_pipe(context));
    return NULL;
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                 void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
    TRY(api_check(pipe, OBJECT_MEM));
    return REFUSE(CL_INVALID_MEM_OBJECT, "not a pipe");
}
