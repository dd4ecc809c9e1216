// SPDX-License-Identifier: Apache-2.0
// cl_khr_external_memory: memory of other APIs, by opaque fds and dma_bufs. Also the handle types
// of memory and semaphores.
#include "api/external.h"
#include "api/memory.h"

#include <stdlib.h>

#include "vulkan/external.h"

// ---- handle types -------------------------------------------------------------------------------

static const struct type_row {
    cl_uint type;
    uint32_t bit;
    unsigned uses; // bits of enum external_use
} type_rows[] = {
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
     1 << EXTERNAL_MEMORY},
    {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
     1 << EXTERNAL_MEMORY | 1 << EXTERNAL_LINEAR_IMAGES},
    {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
     1 << EXTERNAL_SEMAPHORES_IN | 1 << EXTERNAL_SEMAPHORES_OUT},
    {CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
     1 << EXTERNAL_SEMAPHORES_IN | 1 << EXTERNAL_SEMAPHORES_OUT},
};

uint32_t external_type(enum external_use use, cl_properties type)
{
    for (size_t i = 0; i < INFO_COUNT(type_rows); i++)
        if (type_rows[i].type == type && type_rows[i].uses >> use & 1)
            return type_rows[i].bit;
    return 0;
}

bool external_can(const struct _cl_device_id *device, enum external_use use, uint32_t bit)
{
    const struct vk_external *external = &device->physical->facts.external;
    const uint32_t can[EXTERNAL_USES] = {external->memory, external->memory,
                                         external->semaphores_in, external->semaphores_out};
    return can[use] & bit;
}

void external_put(const struct _cl_device_id *devices, cl_uint count, enum external_use use,
                  struct info *info)
{
    for (size_t i = 0; i < INFO_COUNT(type_rows); i++) {
        bool all = count && type_rows[i].uses >> use & 1;
        for (cl_uint d = 0; d < count; d++)
            all &= external_can(&devices[d], use, type_rows[i].bit);
        if (all)
            info_uint(info, type_rows[i].type);
    }
}

void external_put_type(enum external_use use, uint32_t bit, struct info *info)
{
    for (size_t i = 0; i < INFO_COUNT(type_rows) && bit; i++)
        if (type_rows[i].uses >> use & 1 && type_rows[i].bit == bit)
            info_uint(info, type_rows[i].type);
}

// ---- properties of memory objects ---------------------------------------------------------------

static cl_int take_handle(const cl_mem_properties *at, uint32_t type,
                          struct memobj_options *options)
{
    if (options->external)
        return REFUSE(CL_INVALID_PROPERTY, "more than one external handle");
    options->external = (VkExternalMemoryHandleTypeFlagBits)type;
    options->fd = (int)at[1];
    return CL_SUCCESS;
}

// A list of devices, terminated by 0.
static cl_int take_devices(const struct _cl_context *context, const cl_mem_properties *list,
                           struct memobj_options *options)
{
    if (options->devices)
        return REFUSE(CL_INVALID_PROPERTY, "the device list is specified twice");
    options->devices = list;
    for (; list[options->device_count]; options->device_count++) {
        cl_device_id device = (cl_device_id)(uintptr_t)list[options->device_count];
        bool found = false;
        TRY(api_check(device, OBJECT_DEVICE));
        for (cl_uint i = 0; i < context->device_count; i++)
            found |= context->devices[i].device == device;
        if (!found)
            return REFUSE(CL_INVALID_DEVICE, "a device of the list is not in the context");
    }
    return options->device_count ? CL_SUCCESS : REFUSE(CL_INVALID_DEVICE, "the device list is empty");
}

static cl_int take_addressed(cl_mem_properties value, bool *known, struct memobj_options *options)
{
    if (value != CL_TRUE && value != CL_FALSE)
        return REFUSE(CL_INVALID_PROPERTY, "the property is neither true nor false");
    if (*known)
        return REFUSE(CL_INVALID_PROPERTY, "a property is specified twice");
    *known = true;
    options->addressed = value;
    return CL_SUCCESS;
}

static cl_int check_devices(const struct _cl_context *context, const struct memobj_options *options)
{
    if (options->devices && !options->external)
        return REFUSE(CL_INVALID_PROPERTY, "a list of devices without an external handle");
    for (cl_uint i = 0; options->external && i < context->device_count; i++) {
        const struct _cl_device_id *device = context->devices[i].device;
        if (memobj_options_allow(options, device) &&
            !external_can(device, EXTERNAL_MEMORY, options->external))
            return REFUSE(CL_INVALID_DEVICE, "'%s' cannot import handles of this type",
                          device->caps.name);
    }
    return CL_SUCCESS;
}

cl_int memory_read_properties(const struct _cl_context *context, const cl_mem_properties *list,
                              bool buffer, struct memobj_options *options)
{
    bool known = false;
    size_t i = 0;
    *options = (struct memobj_options){.properties = list};
    while (list && list[i]) {
        uint32_t type = external_type(EXTERNAL_MEMORY, list[i]);
        if (type) {
            TRY(take_handle(list + i, type, options));
        } else if (list[i] == CL_MEM_DEVICE_HANDLE_LIST_KHR) {
            TRY(take_devices(context, list + i + 1, options));
            i += options->device_count;
        } else if (buffer && list[i] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT) {
            TRY(take_addressed(list[i + 1], &known, options));
        } else {
            return REFUSE(CL_INVALID_PROPERTY, "%s property 0x%llx is not supported",
                          buffer ? "buffer" : "image", (unsigned long long)list[i]);
        }
        i += 2;
    }
    options->count = list ? i + 1 : 0;
    return check_devices(context, options);
}

cl_int memory_check_options(const struct memobj_options *options, cl_mem_flags flags,
                            const void *host_ptr)
{
    if (!options->external)
        return memory_check_contents(flags);
    if (flags & HOST_POINTER)
        return REFUSE(CL_INVALID_VALUE, "a host pointer flag is combined with an external handle");
    if (host_ptr)
        return REFUSE(CL_INVALID_HOST_PTR, "a host pointer is combined with an external handle");
    return CL_SUCCESS;
}

// ---- acquire and release ------------------------------------------------------------------------

static cl_int check_objects(cl_command_queue queue, cl_uint count, const cl_mem *list)
{
    if (!count != !list)
        return REFUSE(CL_INVALID_VALUE, "%u objects in a list that is %s", count,
                      list ? "non-NULL" : "NULL");
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(list[i], OBJECT_MEM));
        if (!list[i]->external)
            return REFUSE(CL_INVALID_MEM_OBJECT, "object %u was not created from an external handle", i);
        if (list[i]->context != queue->context)
            return REFUSE(CL_INVALID_COMMAND_QUEUE,
                          "object %u and the queue have different contexts", i);
        if (!memobj_is_shared_on(list[i], queue->device_index))
            return REFUSE(CL_INVALID_COMMAND_QUEUE,
                          "object %u was not imported on the queue's device", i);
    }
    return CL_SUCCESS;
}

static cl_int transfer_all(struct api_enqueue *enqueue, cl_uint count, const cl_mem *list,
                           struct vk_shared *shared, bool ours)
{
    for (cl_uint i = 0; i < count; i++) {
        int index = enqueue->queue->device_index;
        TRY(api_enqueue_memory(enqueue, list[i]));
        shared[i].type = list[i]->external;
        if (list[i]->image)
            shared[i].image = &list[i]->image->copies[index].image;
        else
            shared[i].buffer = &list[i]->copies[index].buffer;
    }
    return count ? cmd_transfer_ownership(&enqueue->request, shared, count, ours)
                 : cmd_nothing(&enqueue->request);
}

static cl_int enqueue_transfer(cl_command_queue queue, cl_uint count, const cl_mem *list,
                               cl_uint wait_count, const cl_event *waits, cl_event *event,
                               bool ours)
{
    struct api_enqueue enqueue;
    TRY(api_check(queue, OBJECT_QUEUE));
    TRY(check_objects(queue, count, list));
    TRY(api_enqueue_begin(&enqueue, queue, wait_count, waits, event));
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < wait_count && !error; i++)
        if (cmd_status(waits[i]->command) < 0)
            error = REFUSE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                           "event %u of the wait list has failed", i);
    struct vk_shared *shared = error ? NULL : calloc(count + 1, sizeof *shared);
    if (!error)
        error = shared ? transfer_all(&enqueue, count, list, shared, ours) : CL_OUT_OF_HOST_MEMORY;
    free(shared);
    return api_enqueue_end(&enqueue, error,
                           ours ? CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR
                                : CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
                           event);
}

cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return enqueue_transfer(command_queue, num_mem_objects, mem_objects, num_events_in_wait_list,
                            event_wait_list, event, true);
}

cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return enqueue_transfer(command_queue, num_mem_objects, mem_objects, num_events_in_wait_list,
                            event_wait_list, event, false);
}
