// SPDX-License-Identifier: Apache-2.0
// cl_intel_unified_shared_memory: allocation, queries, and commands with raw pointers.
//
// Kernel arguments with such pointers are in kernel.c. Migration and advice only take their place
// in the queue, because memory never moves. clEnqueueMigrateMemINTEL accepts no flags too, as later
// versions specify.
#include "api/place.h"

#include "object/svm.h"
#include "object/usm.h"

// ---- allocation ---------------------------------------------------------------------------------

enum {
    ALIGN_MAX = 128, // of long16; all allocations have this alignment
    PLACEMENTS =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
    ALLOC_FLAGS = CL_MEM_ALLOC_WRITE_COMBINED_INTEL | PLACEMENTS,
};

static cl_int check_properties(const cl_mem_properties_intel *properties,
                               struct usm_request *request)
{
    cl_mem_alloc_flags_intel flags = 0;
    for (size_t i = 0; properties && properties[i]; i += 2) {
        if (properties[i] != CL_MEM_ALLOC_FLAGS_INTEL || i)
            return REFUSE(CL_INVALID_PROPERTY, "property 0x%llx is unknown or specified twice",
                          (unsigned long long)properties[i]);
        flags = properties[i + 1];
    }
    bool both = (flags & PLACEMENTS) == PLACEMENTS;
    if (flags & ~(cl_mem_alloc_flags_intel)ALLOC_FLAGS || both ||
        (flags & PLACEMENTS && request->type != CL_MEM_TYPE_SHARED_INTEL))
        return REFUSE(CL_INVALID_PROPERTY, "invalid allocation flags 0x%llx", (unsigned long long)flags);
    request->flags = flags;
    return CL_SUCCESS;
}

// Whether the allocation concerns the device: the one it is for, or all that can access it.
static bool concerns(const struct _cl_context *context, cl_uint index,
                     const struct usm_request *request, enum usm_query query)
{
    if (request->device >= 0)
        return (int)index == request->device;
    return usm_capabilities(context->devices[index].device, query);
}

static cl_int check_alloc(const struct _cl_context *context, enum usm_query query, size_t alignment,
                          const struct usm_request *request)
{
    bool some = request->device >= 0
                    ? usm_capabilities(context->devices[request->device].device, query) != 0
                    : usm_any(context, query);
    if (!some)
        return REFUSE(CL_INVALID_OPERATION, "no device supports this type of memory");
    if (alignment & (alignment - 1) || alignment > ALIGN_MAX)
        return REFUSE(CL_INVALID_VALUE, "invalid alignment of %zu bytes", alignment);
    if (!request->size)
        return REFUSE(CL_INVALID_BUFFER_SIZE, "no bytes");
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (concerns(context, i, request, query) &&
            request->size > context->devices[i].device->caps.max_allocation)
            return REFUSE(CL_INVALID_BUFFER_SIZE, "%zu bytes exceed CL_DEVICE_MAX_MEM_ALLOC_SIZE",
                          request->size);
    }
    return CL_SUCCESS;
}

static cl_int find_device(const struct _cl_context *context, cl_device_id device,
                          struct usm_request *request)
{
    request->device = -1;
    if (!device && request->type != CL_MEM_TYPE_DEVICE_INTEL)
        return CL_SUCCESS;
    TRY(api_check(device, OBJECT_DEVICE));
    request->device = context_find(context, device);
    return request->device >= 0 ? CL_SUCCESS
                                : REFUSE(CL_INVALID_DEVICE, "the device is not in the context");
}

static cl_int alloc(cl_context context, cl_device_id device, enum usm_query query,
                    const cl_mem_properties_intel *properties, struct usm_request *request,
                    cl_uint alignment, void **pointer)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(find_device(context, device, request));
    TRY(check_alloc(context, query, alignment, request));
    TRY(check_properties(properties, request));
    cl_int error = usm_alloc(context, request, pointer);
    return error ? REFUSE(error, "%zu bytes", request->size) : CL_SUCCESS;
}

void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                                      size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    API_CALL;
    struct usm_request request = {.type = CL_MEM_TYPE_HOST_INTEL, .size = size};
    void *pointer = NULL;
    api_set_error(errcode_ret,
                  alloc(context, NULL, USM_HOST, properties, &request, alignment, &pointer));
    return pointer;
}

void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret)
{
    API_CALL;
    struct usm_request request = {.type = CL_MEM_TYPE_DEVICE_INTEL, .size = size};
    void *pointer = NULL;
    api_set_error(errcode_ret,
                  alloc(context, device, USM_DEVICE, properties, &request, alignment, &pointer));
    return pointer;
}

void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel *properties, size_t size,
                                        cl_uint alignment, cl_int *errcode_ret)
{
    API_CALL;
    struct usm_request request = {.type = CL_MEM_TYPE_SHARED_INTEL, .size = size};
    void *pointer = NULL;
    api_set_error(errcode_ret,
                  alloc(context, device, USM_SHARED, properties, &request, alignment, &pointer));
    return pointer;
}

// ---- freeing ------------------------------------------------------------------------------------

static cl_int free_pointer(cl_context context, const void *pointer)
{
    if (pointer && !usm_free(context, pointer))
        return REFUSE(CL_INVALID_VALUE, "%p is not the start of a USM allocation", pointer);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    return free_pointer(context, ptr);
}

// Waits for everything in the context, since any command may be using the memory.
cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (usm_begins(context, ptr))
        cmd_finish_all(context);
    return free_pointer(context, ptr);
}

// ---- queries ------------------------------------------------------------------------------------

struct answer {
    cl_unified_shared_memory_type_intel type;
    void *base;
    size_t size;
    cl_device_id device;
    cl_mem_alloc_flags_intel flags;
};

static const struct info_row alloc_info[] = {
    INFO_FIELD(CL_MEM_ALLOC_TYPE_INTEL, struct answer, type),
    INFO_FIELD(CL_MEM_ALLOC_BASE_PTR_INTEL, struct answer, base),
    INFO_FIELD(CL_MEM_ALLOC_SIZE_INTEL, struct answer, size),
    INFO_FIELD(CL_MEM_ALLOC_DEVICE_INTEL, struct answer, device),
    INFO_FIELD(CL_MEM_ALLOC_FLAGS_INTEL, struct answer, flags),
};

cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
                                          cl_mem_info_intel param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    size_t offset;
    struct answer answer = {.type = CL_MEM_TYPE_UNKNOWN_INTEL};
    TRY(api_check(context, OBJECT_CONTEXT));
    struct _cl_mem *mem = svm_find(context, ptr, &offset);
    if (mem && mem->usm)
        answer =
            (struct answer){mem->usm, mem->host_ptr, mem->size, mem->usm_device, mem->usm_flags};
    object_drop(mem);
    return info_get(alloc_info, INFO_COUNT(alloc_info), &answer, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

// ---- commands -----------------------------------------------------------------------------------

static cl_int check_queue(const struct api_enqueue *enqueue)
{
    if (device_caps_has(&enqueue->queue->device->caps, KC_EXT_INTEL_UNIFIED_SHARED_MEMORY))
        return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "the device does not support unified shared memory");
}

cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr,
                                         const void *pattern, size_t pattern_size, size_t size,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = check_queue(&enqueue);
    if (!error)
        error = place_fill(&enqueue, dst_ptr, pattern, pattern_size, size, true);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_MEMFILL_INTEL, event);
}

cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                        void *dst_ptr, const void *src_ptr, size_t size,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    api_enqueue_block(&enqueue, blocking);
    cl_int error = check_queue(&enqueue);
    if (!error)
        error = place_copy(&enqueue, dst_ptr, src_ptr, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_MEMCPY_INTEL, event);
}

static cl_int hint(struct api_enqueue *enqueue, bool known, const void *pointer, size_t size)
{
    struct place place;
    TRY(check_queue(enqueue));
    if (!known)
        return REFUSE(CL_INVALID_VALUE, "unknown hint");
    TRY(place_find(enqueue, pointer, size, &place));
    return cmd_nothing(&enqueue->request);
}

cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr,
                                            size_t size, cl_mem_migration_flags flags,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const cl_mem_migration_flags all =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = hint(&enqueue, !(flags & ~all), ptr, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_MIGRATEMEM_INTEL, event);
}

// No advice values are defined yet; devices may define their own.
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr,
                                           size_t size, cl_mem_advice_intel advice,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    (void)advice;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = hint(&enqueue, true, ptr, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_MEMADVISE_INTEL, event);
}
