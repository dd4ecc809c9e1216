// SPDX-License-Identifier: Apache-2.0
// cl_arm_import_memory: buffers in a dma_buf that the application keeps using, such as frames of
// video decoders.
#include "api/external.h"
#include "api/memory.h"

#include "platform/platform.h"
#include "vulkan/external.h"

// The values true and false are hints about Arm's caches.
static cl_int check_properties(const cl_import_properties_arm *list)
{
    cl_import_properties_arm type = CL_IMPORT_TYPE_HOST_ARM;
    for (; list && *list; list += 2) {
        bool known = *list == CL_IMPORT_TYPE_ARM || (*list == CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM &&
                                                     (list[1] == CL_TRUE || list[1] == CL_FALSE));
        if (!known)
            return REFUSE(CL_INVALID_PROPERTY, "unknown import property 0x%llx", (unsigned long long)*list);
        if (*list == CL_IMPORT_TYPE_ARM)
            type = list[1];
    }
    return type == CL_IMPORT_TYPE_DMA_BUF_ARM ? CL_SUCCESS
                                              : REFUSE(CL_INVALID_PROPERTY, "import of memory of type 0x%llx is not supported",
                                                       (unsigned long long)type);
}

// Acquires ownership immediately, because the extension has no acquire command.
static cl_int acquire(struct _cl_mem *mem)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < mem->context->device_count && !error; i++) {
        struct cmd_request request = {.blocking = true};
        const struct vk_shared shared = {.type = mem->external, .buffer = &mem->copies[i].buffer};
        if (!memobj_is_shared_on(mem, (int)i))
            continue;
        error = cmd_own_queue(mem->context->devices[i].vk, &request.queue);
        if (!error)
            error = cmd_transfer_ownership(&request, &shared, 1, true);
    }
    return error;
}

static cl_int import_memory(cl_context context, cl_mem_flags flags, const cl_import_properties_arm *properties,
                            const int *memory, size_t size, cl_mem *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(check_properties(properties));
    if (flags & ~(cl_mem_flags)(DEVICE_ACCESS | HOST_ACCESS))
        return REFUSE(CL_INVALID_VALUE, "invalid flags 0x%llx", (unsigned long long)flags);
    if (!memory)
        return REFUSE(CL_INVALID_VALUE, "no memory");
    int fd = descriptor_copy(*memory);
    if (fd < 0)
        return REFUSE(CL_INVALID_VALUE, "%d is not a file descriptor", *memory);
    int64_t end = size == CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM ? descriptor_size(fd) : 0;
    const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, (cl_mem_properties)fd, 0};
    cl_int error;
    *out = clCreateBufferWithProperties(context, list, flags, end > 0 ? (size_t)end : size, NULL, &error);
    if (error) {
        descriptor_close(fd);
        return error == CL_INVALID_DEVICE ? CL_INVALID_PROPERTY : error;
    }
    error = acquire(*out);
    if (error)
        object_release(*out);
    return error;
}

cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags, const cl_import_properties_arm *properties,
                                     void *memory, size_t size, cl_int *errcode_ret)
{
    API_CALL;
    cl_mem mem = NULL;
    cl_int error = import_memory(context, flags, properties, memory, size, &mem);
    api_set_error(errcode_ret, error);
    return error ? NULL : mem;
}
