// SPDX-License-Identifier: Apache-2.0
// Pipes: buffers with a layout known to kernels (struct kc_pipe), initially empty.
#include "object/memobj.h"

#include <stdlib.h>
#include <string.h>

#include "pumice/kc.h"

// Writes the header and the marks after it, before any kernel accesses the pipe.
static cl_int write_header(struct _cl_mem *mem)
{
    uint32_t capacity = mem->max_packets;
    size_t bytes = kc_pipe_packets(capacity);
    struct vk_buffer *buffer = &mem->copies[0].buffer;
    struct kc_pipe *header = calloc(1, bytes);
    if (!header)
        return CL_OUT_OF_HOST_MEMORY;
    header->capacity = capacity;
    header->wrap = (UINT32_C(1) << 31) / capacity * capacity;
    cl_int error = CL_SUCCESS;
    if (buffer->host)
        memcpy(buffer->host, header, bytes);
    else
        error = cmd_upload(mem->context->devices[0].vk, buffer, 0, header, bytes);
    free(header);
    return error;
}

static bool any_device_holds(const struct _cl_context *context, uint64_t size)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (size <= context->devices[i].device->caps.max_allocation)
            return true;
    return false;
}

cl_int memobj_create_pipe(struct _cl_context *context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, struct _cl_mem **out)
{
    uint64_t size = kc_pipe_packets(max_packets) + (uint64_t)packet_size * max_packets;
    if (max_packets > KC_PIPE_MAX_PACKETS || !any_device_holds(context, size))
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    const struct memobj_options none = {0};
    struct _cl_mem *mem = NULL;
    cl_int error = memobj_create_buffer(context, flags, size, NULL, &none, &mem);
    if (error)
        return error;
    mem->type = CL_MEM_OBJECT_PIPE;
    mem->packet_size = packet_size;
    mem->max_packets = max_packets;
    error = write_header(mem);
    if (error)
        object_release(mem);
    else
        *out = mem;
    return error;
}
