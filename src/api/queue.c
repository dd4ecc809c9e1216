// SPDX-License-Identifier: Apache-2.0
// Command queues: creation, queries, flush and finish.
#include "api/api.h"

static cl_int get_property_list(const void *object, struct info *info)
{
    const struct _cl_command_queue *queue = object;
    info_put(info, queue->property_list, queue->property_count * sizeof *queue->property_list);
    return CL_SUCCESS;
}

static cl_int get_size(const void *object, struct info *info)
{
    const struct _cl_command_queue *queue = object;
    if (queue->commands)
        return REFUSE(CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE is valid only for device queues");
    info_uint(info, queue->size);
    return CL_SUCCESS;
}

static cl_int get_default(const void *object, struct info *info)
{
    const struct _cl_command_queue *queue = object;
    info_handle(info, queue_default(queue->context, queue->device_index));
    return CL_SUCCESS;
}

static const struct info_row queue_info[] = {
    INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
    INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
    INFO_CALL(CL_QUEUE_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
    INFO_CALL(CL_QUEUE_PROPERTIES_ARRAY, get_property_list),
    INFO_CALL(CL_QUEUE_SIZE, get_size),
    INFO_CALL(CL_QUEUE_DEVICE_DEFAULT, get_default),
};

// ---- creation -----------------------------------------------------------------------------------

static const cl_command_queue_properties known_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE |
    CL_QUEUE_ON_DEVICE_DEFAULT;

static cl_int check_properties(const struct _cl_device_id *device, cl_command_queue_properties bits)
{
    bool on_device = bits & CL_QUEUE_ON_DEVICE;
    cl_command_queue_properties modes = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    if (bits & ~known_properties)
        return REFUSE(CL_INVALID_VALUE, "unknown queue properties 0x%llx",
                      (unsigned long long)bits);
    if (bits & CL_QUEUE_ON_DEVICE_DEFAULT && !on_device)
        return REFUSE(CL_INVALID_VALUE, "CL_QUEUE_ON_DEVICE_DEFAULT requires CL_QUEUE_ON_DEVICE");
    if (on_device && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return REFUSE(CL_INVALID_VALUE, "a device queue must be out-of-order");
    if (bits & modes & ~(on_device ? device->caps.device_queue : device->caps.host_queue))
        return REFUSE(CL_INVALID_QUEUE_PROPERTIES, "the device does not support device queues");
    return CL_SUCCESS;
}

// Parameters of clCreateCommandQueueWithProperties.
struct creation {
    cl_command_queue_properties bits;
    const cl_queue_properties *list;
    size_t count;
    bool sized, hinted;
    cl_ulong size;
};

static cl_int check_size(const struct _cl_device_id *device, struct creation *call)
{
    if (!(call->bits & CL_QUEUE_ON_DEVICE))
        return call->sized ? REFUSE(CL_INVALID_VALUE, "CL_QUEUE_SIZE is valid only for device queues") : CL_SUCCESS;
    if (call->hinted)
        return REFUSE(CL_INVALID_QUEUE_PROPERTIES, "priority and throttle hints are not supported for device queues");
    if (!call->sized)
        call->size = device->caps.device_queue_size;
    if (!call->size || call->size > device->caps.device_queue_max)
        return REFUSE(CL_INVALID_VALUE, "invalid size of %llu bytes for a device queue", (unsigned long long)call->size);
    return CL_SUCCESS;
}

static cl_int create_queue(cl_context context, cl_device_id device, struct creation *call, cl_command_queue *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    int index = context_find(context, device);
    if (index < 0)
        return REFUSE(CL_INVALID_DEVICE, "the device is not in the context");
    TRY(check_properties(device, call->bits));
    TRY(check_size(device, call));
    return queue_create(context, index, call->bits, call->list, call->count, (cl_uint)call->size, out);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int *errcode_ret)
{
    API_CALL;
    cl_command_queue queue = NULL;
    struct creation call = {.bits = properties};
    cl_int error = properties & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)
                       ? REFUSE(CL_INVALID_VALUE, "this function does not support device queues")
                       : create_queue(context, device, &call, &queue);
    api_set_error(errcode_ret, error);
    return queue;
}

// Priority and throttle are hints with three levels each, without any effect.
static bool is_hint(cl_queue_properties name, cl_queue_properties value)
{
    bool hint = name == CL_QUEUE_PRIORITY_KHR || name == CL_QUEUE_THROTTLE_KHR;
    return hint && (value == 1 || value == 2 || value == 4);
}

_Static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == 1 && CL_QUEUE_PRIORITY_MED_KHR == 2 &&
                   CL_QUEUE_PRIORITY_LOW_KHR == 4 && CL_QUEUE_THROTTLE_HIGH_KHR == 1 &&
                   CL_QUEUE_THROTTLE_MED_KHR == 2 && CL_QUEUE_THROTTLE_LOW_KHR == 4,
               "invalid priority or throttle hint");

static cl_int read_list(const cl_queue_properties *list, struct creation *call)
{
    if (!list)
        return CL_SUCCESS;
    size_t i = 0;
    for (; list[i]; i += 2) {
        if (list[i] == CL_QUEUE_PROPERTIES) {
            call->bits = list[i + 1];
        } else if (list[i] == CL_QUEUE_SIZE) {
            call->sized = true;
            call->size = list[i + 1];
        } else if (is_hint(list[i], list[i + 1])) {
            call->hinted = true;
        } else {
            return REFUSE(CL_INVALID_VALUE, "unknown queue property 0x%llx",
                          (unsigned long long)list[i]);
        }
    }
    call->list = list;
    call->count = i + 1;
    return CL_SUCCESS;
}

static cl_int create_from_list(cl_context context, cl_device_id device,
                               const cl_queue_properties *list, cl_command_queue *out)
{
    struct creation call = {.bits = 0};
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    TRY(read_list(list, &call));
    return create_queue(context, device, &call, out);
}

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *errcode_ret)
{
    cl_command_queue queue = NULL;
    api_set_error(errcode_ret, create_from_list(context, device, properties, &queue));
    return queue;
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret)
{
    API_CALL;
    return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

// ---- other entry points -------------------------------------------------------------------------

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue)
{
    API_QUICK_CALL;
    return api_retain(command_queue, OBJECT_QUEUE);
}

// Releasing flushes the queue, even if there are other references.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue)
{
    API_CALL;
    if (!api_check(command_queue, OBJECT_QUEUE) && command_queue->commands)
        cmd_flush_soon(command_queue->commands);
    return api_release(command_queue, OBJECT_QUEUE);
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                         cl_command_queue_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(command_queue, OBJECT_QUEUE));
    return info_get(queue_info, INFO_COUNT(queue_info), command_queue, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue)
{
    API_CALL;
    TRY(api_check_queue(command_queue));
    return cmd_flush(command_queue->commands);
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue)
{
    API_CALL;
    TRY(api_check_queue(command_queue));
    return cmd_finish(command_queue->commands);
}

// Removed in OpenCL 1.1: refused on devices of later versions.
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                             cl_command_queue_properties properties, cl_bool enable,
                                             cl_command_queue_properties *old_properties)
{
    API_CALL;
    (void)properties, (void)enable, (void)old_properties;
    TRY(api_check(command_queue, OBJECT_QUEUE));
    return REFUSE(CL_INVALID_OPERATION, "queue properties are fixed at creation since OpenCL 1.1");
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue command_queue)
{
    API_CALL;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    if (context_find(context, device) < 0)
        return REFUSE(CL_INVALID_DEVICE, "the device is not in the context");
    if (!(device->caps.enqueue & CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT))
        return REFUSE(CL_INVALID_OPERATION, "the device does not support device queues");
    TRY(api_check(command_queue, OBJECT_QUEUE));
    if (command_queue->commands || command_queue->context != context || command_queue->device != device)
        return REFUSE(CL_INVALID_COMMAND_QUEUE, "%p is not a queue of this device", (void *)command_queue);
    queue_set_default(command_queue);
    return CL_SUCCESS;
}
