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
    (void)object, (void)info;
    return REFUSE(CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE is for queues on the device");
}

static const struct info_row queue_info[] = {
    INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
    INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
    INFO_CALL(CL_QUEUE_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
    INFO_CALL(CL_QUEUE_PROPERTIES_ARRAY, get_property_list),
    INFO_CALL(CL_QUEUE_SIZE, get_size),
    INFO_VALUE(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue, 0),
};

// ---- creation -----------------------------------------------------------------------------------

static const cl_command_queue_properties known_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE |
    CL_QUEUE_ON_DEVICE_DEFAULT;

static cl_int check_properties(const struct _cl_device_id *device, cl_command_queue_properties bits)
{
    if (bits & ~known_properties)
        return REFUSE(CL_INVALID_VALUE, "unknown queue properties 0x%llx",
                      (unsigned long long)bits);
    if (bits & CL_QUEUE_ON_DEVICE_DEFAULT && !(bits & CL_QUEUE_ON_DEVICE))
        return REFUSE(CL_INVALID_VALUE, "a default queue on the device that is not on the device");
    if (bits & ~device->caps.host_queue)
        return REFUSE(CL_INVALID_QUEUE_PROPERTIES, "the device has no queues on the device");
    return CL_SUCCESS;
}

static cl_int create_queue(cl_context context, cl_device_id device,
                           cl_command_queue_properties bits, const cl_queue_properties *list,
                           size_t list_count, cl_command_queue *out)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    int index = context_find(context, device);
    if (index < 0)
        return REFUSE(CL_INVALID_DEVICE, "the device is not one of the context's");
    TRY(check_properties(device, bits));
    return queue_create(context, index, bits, list, list_count, out);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int *errcode_ret)
{
    API_CALL;
    cl_command_queue queue = NULL;
    api_set_error(errcode_ret, create_queue(context, device, properties, NULL, 0, &queue));
    return queue;
}

// Priority and throttle are hints: one of three levels, and nothing is promised.
static bool is_hint(cl_queue_properties name, cl_queue_properties value)
{
    bool hint = name == CL_QUEUE_PRIORITY_KHR || name == CL_QUEUE_THROTTLE_KHR;
    return hint && (value == 1 || value == 2 || value == 4);
}

_Static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == 1 && CL_QUEUE_PRIORITY_MED_KHR == 2 &&
                   CL_QUEUE_PRIORITY_LOW_KHR == 4 && CL_QUEUE_THROTTLE_HIGH_KHR == 1 &&
                   CL_QUEUE_THROTTLE_MED_KHR == 2 && CL_QUEUE_THROTTLE_LOW_KHR == 4,
               "the levels of both hints");

static cl_int read_list(const cl_queue_properties *list, cl_command_queue_properties *bits,
                        size_t *count)
{
    *bits = 0;
    *count = 0;
    if (!list)
        return CL_SUCCESS;
    bool sized = false;
    size_t i = 0;
    for (; list[i]; i += 2) {
        if (list[i] == CL_QUEUE_PROPERTIES)
            *bits = list[i + 1];
        else if (list[i] == CL_QUEUE_SIZE)
            sized = true;
        else if (!is_hint(list[i], list[i + 1]))
            return REFUSE(CL_INVALID_VALUE, "unknown queue property 0x%llx",
                          (unsigned long long)list[i]);
    }
    *count = i + 1;
    if (sized && !(*bits & CL_QUEUE_ON_DEVICE))
        return REFUSE(CL_INVALID_VALUE, "CL_QUEUE_SIZE is for queues on the device");
    return CL_SUCCESS;
}

static cl_int create_from_list(cl_context context, cl_device_id device,
                               const cl_queue_properties *list, cl_command_queue *out)
{
    cl_command_queue_properties bits;
    size_t count;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    TRY(read_list(list, &bits, &count));
    return create_queue(context, device, bits, list, count, out);
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

// ---- the rest -----------------------------------------------------------------------------------

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue)
{
    API_CALL;
    return api_retain(command_queue, OBJECT_QUEUE);
}

// Who releases need not flush, whoever else has a reference.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue)
{
    API_CALL;
    if (!api_check(command_queue, OBJECT_QUEUE))
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
    TRY(api_check(command_queue, OBJECT_QUEUE));
    return cmd_flush(command_queue->commands);
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue)
{
    API_CALL;
    TRY(api_check(command_queue, OBJECT_QUEUE));
    return cmd_finish(command_queue->commands);
}

// Gone since OpenCL 1.1: refused on devices of later versions.
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
    (void)command_queue;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(api_check(device, OBJECT_DEVICE));
    if (context_find(context, device) < 0)
        return REFUSE(CL_INVALID_DEVICE, "the device is not one of the context's");
    return REFUSE(CL_INVALID_OPERATION, "the device has no queues on the device");
}
