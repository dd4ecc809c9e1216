// SPDX-License-Identifier: Apache-2.0
// Pipes: creation and queries. Only kernels access their contents.
#include "api/memory.h"

static bool has_pipes(const struct context_device *device)
{
    return device_caps_has(&device->device->caps, KC_EXT_PIPES);
}

static cl_int check_devices(const struct _cl_context *context)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (has_pipes(&context->devices[i]))
            return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "no device of the context supports pipes");
}

static cl_int check_pipe_flags(cl_mem_flags flags)
{
    if (flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx for a pipe", (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, const cl_pipe_properties *properties, cl_mem *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(check_devices(context));
    TRY(check_pipe_flags(flags));
    if (properties)
        return REFUSE(CL_INVALID_VALUE, "properties are not supported");
    if (!packet_size || packet_size > CAPS_PIPE_PACKET || !max_packets)
        return REFUSE(CL_INVALID_PIPE_SIZE, "invalid pipe of %u packets of %u bytes", max_packets, packet_size);
    flags = flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    cl_int error = memobj_create_pipe(context, flags, packet_size, max_packets, out);
    return error ? REFUSE(error, "invalid pipe of %u packets of %u bytes", max_packets, packet_size) : CL_SUCCESS;
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    api_set_error(errcode_ret, create_pipe(context, flags, pipe_packet_size, pipe_max_packets,
                                           properties, &mem));
    return mem;
}

static const struct info_row pipe_info[] = {
    INFO_FIELD(CL_PIPE_PACKET_SIZE, struct _cl_mem, packet_size),
    INFO_FIELD(CL_PIPE_MAX_PACKETS, struct _cl_mem, max_packets),
    INFO_NOTHING(CL_PIPE_PROPERTIES),
};

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                 void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(pipe, OBJECT_MEM));
    if (pipe->type != CL_MEM_OBJECT_PIPE)
        return REFUSE(CL_INVALID_MEM_OBJECT, "not a pipe");
    return info_get(pipe_info, INFO_COUNT(pipe_info), pipe, param_name, param_value_size,
                    param_value, param_value_size_ret);
}
