// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer: creation, recording, enqueues, queries.
//
// A command is recorded by the code that enqueues its kind, into the command buffer's recording
// (command/replay.h). A sync point is the number of a point in the recording.
#include "api/command_buffer.h"

// ---- creation -----------------------------------------------------------------------------------

static cl_int check_flags(cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_flags_khr known = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
    if (flags & ~known)
        return REFUSE(CL_INVALID_VALUE, "invalid command buffer flags 0x%llx", (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_asserts(cl_mutable_dispatch_asserts_khr asserts)
{
    const cl_mutable_dispatch_asserts_khr known = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    if (asserts & ~known)
        return REFUSE(CL_INVALID_VALUE, "invalid assertions 0x%llx", (unsigned long long)asserts);
    return CL_SUCCESS;
}

// Assertions are accepted and ignored.
static cl_int read_list(const cl_command_buffer_properties_khr *list, cl_command_buffer_flags_khr *flags, size_t *count)
{
    bool flagged = false, asserted = false, again = false;
    size_t i = 0;
    for (; list && list[i]; i += 2) {
        bool *seen = list[i] == CL_COMMAND_BUFFER_FLAGS_KHR ? &flagged : &asserted;
        if (list[i] == CL_COMMAND_BUFFER_FLAGS_KHR)
            TRY(check_flags(*flags = list[i + 1]));
        else if (list[i] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR)
            TRY(check_asserts(list[i + 1]));
        else
            return REFUSE(CL_INVALID_VALUE, "unknown command buffer property 0x%llx", (unsigned long long)list[i]);
        again |= *seen;
        *seen = true;
    }
    if (again)
        return REFUSE(CL_INVALID_VALUE, "a property is specified twice");
    *count = list ? i + 1 : 0;
    return CL_SUCCESS;
}

static cl_int create(cl_uint num_queues, const cl_command_queue *queues, const cl_command_buffer_properties_khr *list,
                     cl_command_buffer_khr *out)
{
    cl_command_buffer_flags_khr flags = 0;
    size_t count = 0;
    if (num_queues != 1 || !queues)
        return REFUSE(CL_INVALID_VALUE, "%u queues at %p, expected one", num_queues, (const void *)queues);
    TRY(api_check_queue(queues[0]));
    TRY(read_list(list, &flags, &count));
    return command_buffer_create(queues[0], flags, list, count, out);
}

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *properties,
                                                           cl_int *errcode_ret)
{
    API_CALL;
    cl_command_buffer_khr buffer = NULL;
    api_set_error(errcode_ret, create(num_queues, queues, properties, &buffer));
    return buffer;
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_QUICK_CALL;
    return api_retain(command_buffer, OBJECT_COMMAND_BUFFER);
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_CALL;
    return api_release(command_buffer, OBJECT_COMMAND_BUFFER);
}

static cl_int finalize(struct _cl_command_buffer_khr *buffer)
{
    if (buffer->finalized)
        return REFUSE(CL_INVALID_OPERATION, "the command buffer is already finalized");
    TRY(cmd_recording_finish(buffer->recording, buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR));
    buffer->finalized = true;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_CALL;
    TRY(api_check(command_buffer, OBJECT_COMMAND_BUFFER));
    pthread_mutex_lock(&command_buffer->lock);
    cl_int error = finalize(command_buffer);
    pthread_mutex_unlock(&command_buffer->lock);
    return error;
}

// ---- recording ----------------------------------------------------------------------------------

static cl_int check_points(const struct record_call *call)
{
    uint32_t count = cmd_recording_count(call->buffer->recording);
    if (!call->waits != !call->wait_count)
        return REFUSE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "%u sync points in a list that is %s", call->wait_count,
                      call->waits ? "non-NULL" : "NULL");
    for (cl_uint i = 0; i < call->wait_count; i++)
        if (!call->waits[i] || call->waits[i] > count)
            return REFUSE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "unknown sync point %u", call->waits[i]);
    return CL_SUCCESS;
}

static cl_int check_call(const struct record_call *call, bool launch)
{
    if (call->queue)
        return REFUSE(CL_INVALID_COMMAND_QUEUE, "a command queue is specified, expected NULL");
    if (!launch && call->properties && *call->properties)
        return REFUSE(CL_INVALID_VALUE, "unknown property 0x%llx", (unsigned long long)*call->properties);
    if (!launch && call->handle)
        return REFUSE(CL_INVALID_VALUE, "a handle is requested for a command of an immutable command buffer");
    if (call->buffer->finalized)
        return REFUSE(CL_INVALID_OPERATION, "the command buffer is already finalized");
    return check_points(call);
}

cl_int record_begin(const struct record_call *call, struct api_enqueue *enqueue, bool launch)
{
    TRY(api_check(call->buffer, OBJECT_COMMAND_BUFFER));
    struct _cl_command_buffer_khr *buffer = call->buffer;
    pthread_mutex_lock(&buffer->lock);
    cl_int error = check_call(call, launch);
    if (!error)
        error = api_enqueue_record(enqueue, buffer->queue, cmd_recording_queue(buffer->recording));
    if (error)
        pthread_mutex_unlock(&buffer->lock);
    else
        cmd_recording_wait(buffer->recording, call->waits, call->wait_count);
    return error;
}

cl_int record_end(const struct record_call *call, struct api_enqueue *enqueue, cl_int error)
{
    struct _cl_command_buffer_khr *buffer = call->buffer;
    struct _cl_mem *mem;
    uint32_t at = 0;
    cl_int full = CL_SUCCESS; // memory is only recorded if another device might have the contents
    while (!error && !full && buffer->queue->context->device_count > 1 && api_enqueue_next_memory(enqueue, &at, &mem))
        full = command_buffer_use(buffer, mem);
    error = api_enqueue_end(enqueue, error, 0, NULL);
    if (!error && call->point)
        *call->point = cmd_recording_count(buffer->recording);
    pthread_mutex_unlock(&buffer->lock);
    return error ? error : full;
}

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(COMMAND_BUFFER_FIRST, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, cmd_barrier(&enqueue.request));
}

cl_int CL_API_CALL clCommandCopyBufferKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue,
                      transfer_copy(&enqueue, src_buffer, dst_buffer, src_offset, dst_offset, size));
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    const struct rect_side src = {src_origin, src_row_pitch, src_slice_pitch};
    const struct rect_side dst = {dst_origin, dst_row_pitch, dst_slice_pitch};
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, transfer_copy_rect(&enqueue, src_buffer, &src, dst_buffer, &dst, region));
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_image,
                                                 size_t src_offset, const size_t *dst_origin, const size_t *region,
                                                 COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    const struct image_buffer_call copy = {dst_image, src_buffer, dst_origin, region, src_offset, true};
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, transfer_image_buffer(&enqueue, &copy));
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(COMMAND_BUFFER_FIRST, cl_mem src_image, cl_mem dst_buffer,
                                                 const size_t *src_origin, const size_t *region, size_t dst_offset,
                                                 COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    const struct image_buffer_call copy = {src_image, dst_buffer, src_origin, region, dst_offset, false};
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, transfer_image_buffer(&enqueue, &copy));
}

cl_int CL_API_CALL clCommandCopyImageKHR(COMMAND_BUFFER_FIRST, cl_mem src_image, cl_mem dst_image,
                                         const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                         COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue,
                      transfer_copy_image(&enqueue, src_image, dst_image, src_origin, dst_origin, region));
}

cl_int CL_API_CALL clCommandFillBufferKHR(COMMAND_BUFFER_FIRST, cl_mem buffer, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, transfer_fill(&enqueue, buffer, pattern, pattern_size, offset, size));
}

cl_int CL_API_CALL clCommandFillImageKHR(COMMAND_BUFFER_FIRST, cl_mem image, const void *fill_color,
                                         const size_t *origin, const size_t *region, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, transfer_fill_image(&enqueue, image, fill_color, origin, region));
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(COMMAND_BUFFER_FIRST, void *dst_ptr, const void *src_ptr, size_t size,
                                         COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, svm_copy(&enqueue, dst_ptr, src_ptr, size));
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(COMMAND_BUFFER_FIRST, void *svm_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, false));
    return record_end(&call, &enqueue, svm_fill(&enqueue, svm_ptr, pattern, pattern_size, size));
}

// ---- launches -----------------------------------------------------------------------------------

bool record_complete(const struct _cl_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->info->arg_count; i++)
        if (!kernel->args[i].set)
            return false;
    return true;
}

// If arguments can be updated, they may also be set later: until then the point does nothing.
static cl_int record_launch(struct api_enqueue *enqueue, const struct launch_call *launch,
                            struct _cl_mutable_command_khr *handle)
{
    cl_int error = launch_kernel(enqueue, launch);
    if (error != CL_INVALID_KERNEL_ARGS || !handle || !(handle->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) ||
        record_complete(launch->kernel))
        return error;
    handle->state.incomplete = true;
    return cmd_nothing(&enqueue->request);
}

static cl_int launch_with_handle(const struct record_call *call, struct api_enqueue *enqueue,
                                 const struct launch_call *launch)
{
    struct _cl_mutable_command_khr *handle = NULL;
    cl_mutable_dispatch_fields_khr fields;
    size_t count;
    TRY(record_read_properties(call->properties, &fields, &count));
    TRY(api_check(launch->kernel, OBJECT_KERNEL));
    if (call->handle)
        TRY(record_make_handle(call, launch, &handle));
    cl_int error = record_launch(enqueue, launch, handle);
    if (error) {
        object_drop(handle);
        return error;
    }
    if (handle) {
        handle->point = cmd_recording_count(call->buffer->recording);
        call->buffer->incomplete += handle->state.incomplete;
        command_buffer_add_handle(call->buffer, handle);
        *call->handle = handle;
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(COMMAND_BUFFER_FIRST, cl_kernel kernel, cl_uint work_dim,
                                             const size_t *global_work_offset, const size_t *global_work_size,
                                             const size_t *local_work_size, COMMAND_BUFFER_LAST)
{
    API_CALL;
    const struct record_call call = RECORD_CALL;
    const struct launch_call launch = {kernel, work_dim, global_work_offset, global_work_size, local_work_size};
    struct api_enqueue enqueue;
    TRY(record_begin(&call, &enqueue, true));
    return record_end(&call, &enqueue, launch_with_handle(&call, &enqueue, &launch));
}

// ---- enqueues -----------------------------------------------------------------------------------

static cl_int pick_queue(const struct _cl_command_buffer_khr *buffer, cl_uint num_queues,
                         const cl_command_queue *queues, cl_command_queue *queue)
{
    *queue = buffer->queue;
    if (!queues != !num_queues || num_queues > 1)
        return REFUSE(CL_INVALID_VALUE, "%u queues at %p, expected at most one", num_queues, (const void *)queues);
    if (!num_queues)
        return CL_SUCCESS;
    TRY(api_check_queue(queues[0]));
    if (queues[0]->context != buffer->queue->context)
        return REFUSE(CL_INVALID_CONTEXT, "the queue and the command buffer have different contexts");
    if (queues[0]->device != buffer->queue->device)
        return REFUSE(CL_INVALID_DEVICE, "the queue and the command buffer have different devices");
    *queue = queues[0];
    return CL_SUCCESS;
}

// Moves the contents to this device if another one may have them.
static cl_int move_memory(struct api_enqueue *enqueue, const struct _cl_command_buffer_khr *buffer)
{
    for (size_t i = 0; i < buffer->memory_count; i++) {
        const struct cmd_surface *surface;
        struct vk_buffer *device;
        uint64_t base;
        if (buffer->memory[i]->image)
            TRY(api_enqueue_surface(enqueue, buffer->memory[i], &surface));
        else
            TRY(api_enqueue_buffer(enqueue, buffer->memory[i], &device, &base));
    }
    return CL_SUCCESS;
}

static cl_int replay(struct api_enqueue *enqueue, struct _cl_command_buffer_khr *buffer)
{
    if (!buffer->finalized || buffer->incomplete)
        return REFUSE(CL_INVALID_OPERATION, "the command buffer is %s",
                      buffer->finalized ? "incomplete: arguments are missing" : "not finalized");
    TRY(move_memory(enqueue, buffer));
    TRY(api_enqueue_hold(enqueue, buffer));
    return cmd_replay(&enqueue->request, buffer->recording);
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    cl_command_queue queue;
    TRY(api_check(command_buffer, OBJECT_COMMAND_BUFFER));
    TRY(pick_queue(command_buffer, num_queues, queues, &queue));
    TRY(api_enqueue_begin(&enqueue, queue, num_events_in_wait_list, event_wait_list, event));
    pthread_mutex_lock(&command_buffer->lock);
    cl_int error = replay(&enqueue, command_buffer);
    pthread_mutex_unlock(&command_buffer->lock);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COMMAND_BUFFER_KHR, event);
}

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_state(const void *object, struct info *info)
{
    struct _cl_command_buffer_khr *buffer = (struct _cl_command_buffer_khr *)(uintptr_t)object;
    pthread_mutex_lock(&buffer->lock);
    cl_command_buffer_state_khr state = !buffer->finalized   ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                        : buffer->incomplete ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                                             : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
    pthread_mutex_unlock(&buffer->lock);
    info_uint(info, state);
    return CL_SUCCESS;
}

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_command_buffer_khr *buffer = object;
    info_put(info, buffer->property_list, buffer->property_count * sizeof *buffer->property_list);
    return CL_SUCCESS;
}

static cl_int get_context(const void *object, struct info *info)
{
    info_handle(info, ((const struct _cl_command_buffer_khr *)object)->queue->context);
    return CL_SUCCESS;
}

static const struct info_row command_buffer_info[] = {
    INFO_VALUE(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, cl_uint, 1),
    INFO_FIELD(CL_COMMAND_BUFFER_QUEUES_KHR, struct _cl_command_buffer_khr, queue),
    INFO_CALL(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, api_get_references),
    INFO_CALL(CL_COMMAND_BUFFER_STATE_KHR, get_state),
    INFO_CALL(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, get_properties),
    INFO_CALL(CL_COMMAND_BUFFER_CONTEXT_KHR, get_context),
};

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(command_buffer, OBJECT_COMMAND_BUFFER));
    return info_get(command_buffer_info, INFO_COUNT(command_buffer_info), command_buffer, param_name,
                    param_value_size, param_value, param_value_size_ret);
}
