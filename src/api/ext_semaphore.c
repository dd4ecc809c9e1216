// SPDX-License-Identifier: Apache-2.0
// cl_khr_semaphore: binary semaphores that commands signal and wait for; and
// cl_khr_external_semaphore, which shares them with other APIs.
#include "api/external.h"
#include "object/semaphore.h"

#include <stdlib.h>

#include "vulkan/external.h"

// ---- creation -----------------------------------------------------------------------------------

struct creation {
    size_t count;                       // of the list, including the terminating 0
    bool typed;                         // the type was specified
    struct _cl_device_id *device; // NULL: not specified
    bool exports;                 // a list of export types was specified
    struct semaphore_external external;
};

// A list of devices within the list: exactly one device, then 0.
static cl_int take_device(const struct _cl_context *context, const cl_semaphore_properties_khr *list, struct creation *creation)
{
    cl_device_id device = (cl_device_id)(uintptr_t)list[0];
    if (!device || list[1] != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR)
        return REFUSE(CL_INVALID_DEVICE, "the semaphore needs exactly one device");
    TRY(api_check(device, OBJECT_DEVICE));
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i].device == device)
            creation->device = device;
    return creation->device ? CL_SUCCESS : REFUSE(CL_INVALID_DEVICE, "the device is not in the context");
}

// A list of handle types within the list: at most one, then 0.
static cl_int take_exports(const cl_semaphore_properties_khr *list, struct creation *creation)
{
    if (creation->exports)
        return REFUSE(CL_INVALID_PROPERTY, "the export handle types are specified twice");
    creation->exports = true;
    creation->count += 2;
    if (!list[0])
        return CL_SUCCESS;
    uint32_t type = external_type(EXTERNAL_SEMAPHORES_OUT, list[0]);
    if (!type)
        return REFUSE(CL_INVALID_PROPERTY, "unknown handle type 0x%llx",
                      (unsigned long long)list[0]);
    if (list[1])
        return REFUSE(CL_INVALID_VALUE, "only one export handle type is supported");
    creation->external.out = (VkExternalSemaphoreHandleTypeFlagBits)type;
    creation->count++;
    return CL_SUCCESS;
}

static cl_int take_handle(const cl_semaphore_properties_khr *at, uint32_t type,
                          struct creation *creation)
{
    if (creation->external.in)
        return REFUSE(CL_INVALID_PROPERTY, "more than one external handle");
    creation->external.in = (VkExternalSemaphoreHandleTypeFlagBits)type;
    creation->external.fd = (int)at[1];
    creation->count += 2;
    return CL_SUCCESS;
}

static cl_int check_external(const struct _cl_device_id *device,
                             const struct semaphore_external *external)
{
    if (external->in && !external_can(device, EXTERNAL_SEMAPHORES_IN, external->in))
        return REFUSE(CL_INVALID_DEVICE, "the device cannot import handles of this type");
    if (external->in && external->out)
        return REFUSE(CL_INVALID_OPERATION, "an imported semaphore cannot be exported");
    if (external->out && !external_can(device, EXTERNAL_SEMAPHORES_OUT, external->out))
        return REFUSE(CL_INVALID_PROPERTY, "the device cannot export handles of this type");
    return CL_SUCCESS;
}

static cl_int take_property(const struct _cl_context *context, const cl_semaphore_properties_khr *list, struct creation *creation)
{
    const cl_semaphore_properties_khr *at = list + creation->count;
    uint32_t type = external_type(EXTERNAL_SEMAPHORES_IN, *at);
    if (type)
        return take_handle(at, type, creation);
    if (*at == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR)
        return take_exports(at + 1, creation);
    if (*at == CL_SEMAPHORE_TYPE_KHR) {
        if (creation->typed || at[1] != CL_SEMAPHORE_TYPE_BINARY_KHR)
            return REFUSE(CL_INVALID_PROPERTY, "the semaphore type is specified twice, or is not binary");
        creation->typed = true;
        creation->count += 2;
    } else if (*at == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
        if (creation->device)
            return REFUSE(CL_INVALID_PROPERTY, "the device list is specified twice");
        TRY(take_device(context, at + 1, creation));
        creation->count += 3;
    } else {
        return REFUSE(CL_INVALID_PROPERTY, "semaphore property 0x%llx is not supported", (unsigned long long)*at);
    }
    return CL_SUCCESS;
}

static cl_int create(cl_context context, const cl_semaphore_properties_khr *list, cl_semaphore_khr *out)
{
    struct creation creation = {0};
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!list)
        return REFUSE(CL_INVALID_VALUE, "no properties");
    while (list[creation.count])
        TRY(take_property(context, list, &creation));
    if (!creation.typed)
        return REFUSE(CL_INVALID_VALUE, "the semaphore type is missing");
    if (!creation.device && context->device_count > 1)
        return REFUSE(CL_INVALID_PROPERTY, "the device list is missing, and the context has several devices");
    struct _cl_device_id *device = creation.device ? creation.device : context->devices[0].device;
    TRY(check_external(device, &creation.external));
    return semaphore_create(context, list, creation.count + 1, &device, 1, &creation.external, out);
}

cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(cl_context context,
                                                                const cl_semaphore_properties_khr *sema_props,
                                                                cl_int *errcode_ret)
{
    API_CALL;
    cl_semaphore_khr semaphore = NULL;
    api_set_error(errcode_ret, create(context, sema_props, &semaphore));
    return semaphore;
}

cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object)
{
    API_QUICK_CALL;
    return api_retain(sema_object, OBJECT_SEMAPHORE);
}

cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object)
{
    API_CALL;
    return api_release(sema_object, OBJECT_SEMAPHORE);
}

// ---- commands -----------------------------------------------------------------------------------

struct call {
    cl_command_queue queue;
    cl_uint count;
    const cl_semaphore_khr *list;
    cl_uint wait_count;
    const cl_event *waits;
    cl_event *event;
};

static cl_int check(const struct call *call)
{
    TRY(api_check_queue(call->queue));
    if (!call->count || !call->list)
        return REFUSE(CL_INVALID_VALUE, "no semaphores");
    for (cl_uint i = 0; i < call->count; i++) {
        TRY(api_check(call->list[i], OBJECT_SEMAPHORE));
        if (call->list[i]->context != call->queue->context)
            return REFUSE(CL_INVALID_CONTEXT, "semaphore %u and the queue have different contexts", i);
        if (!semaphore_has_device(call->list[i], call->queue->device))
            return REFUSE(CL_INVALID_COMMAND_QUEUE, "semaphore %u and the queue have different devices", i);
    }
    TRY(api_check_waits(call->queue->context, call->wait_count, call->waits));
    for (cl_uint i = 0; i < call->wait_count; i++)
        if (cmd_status(call->waits[i]->command) < 0)
            return REFUSE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event %u of the wait list has failed", i);
    return CL_SUCCESS;
}

// The device semaphores among the semaphores, kept alive by the command.
static cl_int list_binaries(struct api_enqueue *enqueue, const struct call *call,
                            struct cmd_binary **list, uint32_t *count)
{
    for (cl_uint i = 0; i < call->count; i++) {
        struct semaphore_payload *payload = semaphore_payload(call->list[i]);
        if (!payload)
            continue;
        TRY(api_enqueue_keep(enqueue, payload, semaphore_payload_release));
        if (*count == CMD_BINARIES)
            return REFUSE(CL_OUT_OF_RESOURCES, "more than %u semaphores of the device in one command",
                          CMD_BINARIES);
        list[(*count)++] = &payload->binary;
    }
    return CL_SUCCESS;
}

static cl_int put(struct api_enqueue *enqueue, const struct call *call, bool waits)
{
    struct cmd_binary *list[CMD_BINARIES];
    uint32_t count = 0;
    TRY(list_binaries(enqueue, call, list, &count));
    return count ? cmd_semaphores(&enqueue->request, list, count, waits)
                 : cmd_nothing(&enqueue->request);
}

// Enqueues a command that depends only on its wait list and `more`, and returns it.
static cl_int enqueue(const struct call *call, struct command *const *more, cl_uint more_count, cl_command_type type,
                      struct command **out)
{
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, call->queue, call->wait_count, call->waits, call->event));
    struct command **waits = malloc((call->wait_count + more_count + 1) * sizeof *waits);
    for (cl_uint i = 0; waits && i < call->wait_count; i++)
        waits[i] = enqueue.request.waits[i];
    enqueue.request.waits = waits;
    for (cl_uint i = 0; waits && i < more_count; i++)
        if (more[i]) // NULL: another API signals it
            waits[enqueue.request.wait_count++] = more[i];
    enqueue.request.out = &enqueue.command;
    cl_int error =
        waits ? put(&enqueue, call, type == CL_COMMAND_SEMAPHORE_WAIT_KHR) : CL_OUT_OF_HOST_MEMORY;
    if (!error && out)
        *out = cmd_retain(enqueue.command);
    error = api_enqueue_end(&enqueue, error, type, call->event);
    free(waits);
    return error;
}

static cl_int wait_for(const struct call *call)
{
    TRY(check(call));
    struct command **taken = calloc(call->count, sizeof *taken);
    cl_int error = taken ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    cl_uint count = 0;
    while (!error && count < call->count) {
        error = semaphore_consume(call->list[count], &taken[count]);
        count += !error;
    }
    if (!error)
        error = enqueue(call, taken, count, CL_COMMAND_SEMAPHORE_WAIT_KHR, NULL);
    for (cl_uint i = 0; i < count; i++)
        if (error && taken[i])
            semaphore_restore(call->list[i], taken[i]);
        else
            cmd_release(taken[i]);
    free(taken);
    return error;
}

// Flushes: a thread that waits for the semaphore, possibly in another queue, does not know which
// queue to flush.
static cl_int signal_all(const struct call *call)
{
    struct command *signal = NULL;
    TRY(check(call));
    TRY(enqueue(call, NULL, 0, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, &signal));
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < call->count && !error; i++)
        error = semaphore_signal(call->list[i], signal);
    cmd_release(signal);
    return error ? error : cmd_flush(call->queue->commands);
}

cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                              const cl_semaphore_khr *sema_objects,
                                              const cl_semaphore_payload_khr *sema_payload_list,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    (void)sema_payload_list; // binary semaphores have no payload
    const struct call call = {command_queue, num_sema_objects, sema_objects, num_events_in_wait_list, event_wait_list, event};
    return wait_for(&call);
}

cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                const cl_semaphore_khr *sema_objects,
                                                const cl_semaphore_payload_khr *sema_payload_list,
                                                cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    (void)sema_payload_list;
    const struct call call = {command_queue, num_sema_objects, sema_objects, num_events_in_wait_list, event_wait_list, event};
    return signal_all(&call);
}

// ---- handles ------------------------------------------------------------------------------------

// If there is no space for a handle, only returns its size.
static cl_int export(cl_semaphore_khr semaphore, size_t size, int *fd, size_t *size_ret)
{
    if (fd && size < sizeof *fd)
        return REFUSE(CL_INVALID_VALUE, "invalid size of %zu bytes for a handle", size);
    if (size_ret)
        *size_ret = sizeof *fd;
    cl_int error = fd ? semaphore_export(semaphore, fd) : CL_SUCCESS;
    return error ? REFUSE(error, "a handle cannot be exported in the current state") : CL_SUCCESS;
}

cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                  cl_external_semaphore_handle_type_khr handle_type, size_t handle_size,
                                                  void *handle_ptr, size_t *handle_size_ret)
{
    API_CALL;
    uint32_t type = external_type(EXTERNAL_SEMAPHORES_OUT, handle_type);
    TRY(api_check(sema_object, OBJECT_SEMAPHORE));
    TRY(api_check(device, OBJECT_DEVICE));
    if (!semaphore_has_device(sema_object, device))
        return REFUSE(CL_INVALID_DEVICE, "the semaphore belongs to another device");
    if (!type || type != (uint32_t)sema_object->external.out)
        return REFUSE(CL_INVALID_VALUE, "the semaphore was not created for export as type 0x%x",
                      handle_type);
    return export(sema_object, handle_size, handle_ptr, handle_size_ret);
}

cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd)
{
    API_CALL;
    TRY(api_check(sema_object, OBJECT_SEMAPHORE));
    if (sema_object->external.in != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        return REFUSE(CL_INVALID_SEMAPHORE_KHR, "the semaphore was not created from a sync fd");
    if (reimport_props && reimport_props[0])
        return REFUSE(CL_INVALID_VALUE, "property 0x%llx is not supported",
                      (unsigned long long)reimport_props[0]);
    cl_int error = semaphore_import(sema_object, fd);
    return error == CL_INVALID_PROPERTY ? REFUSE(CL_INVALID_VALUE, "%d is not a sync fd", fd) : error;
}

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_semaphore_khr *semaphore = object;
    info_put(info, semaphore->properties, semaphore->property_count * sizeof *semaphore->properties);
    return CL_SUCCESS;
}

static cl_int get_devices(const void *object, struct info *info)
{
    const struct _cl_semaphore_khr *semaphore = object;
    info_put(info, semaphore->devices, semaphore->device_count * sizeof(cl_device_id));
    return CL_SUCCESS;
}

static cl_int get_payload(const void *object, struct info *info)
{
    info_ulong(info, semaphore_is_signaled((struct _cl_semaphore_khr *)(uintptr_t)object));
    return CL_SUCCESS;
}

static cl_int get_exports(const void *object, struct info *info)
{
    const struct _cl_semaphore_khr *semaphore = object;
    external_put_type(EXTERNAL_SEMAPHORES_OUT, semaphore->external.out, info);
    return CL_SUCCESS;
}

static cl_int get_exportable(const void *object, struct info *info)
{
    info_bool(info, ((const struct _cl_semaphore_khr *)object)->external.out);
    return CL_SUCCESS;
}

static const struct info_row semaphore_info[] = {
    INFO_FIELD(CL_SEMAPHORE_CONTEXT_KHR, struct _cl_semaphore_khr, context),
    INFO_CALL(CL_SEMAPHORE_REFERENCE_COUNT_KHR, api_get_references),
    INFO_CALL(CL_SEMAPHORE_PROPERTIES_KHR, get_properties),
    INFO_VALUE(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
    INFO_CALL(CL_SEMAPHORE_PAYLOAD_KHR, get_payload),
    INFO_CALL(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, get_devices),
    INFO_CALL(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, get_exports),
    INFO_CALL(CL_SEMAPHORE_EXPORTABLE_KHR, get_exportable),
};

cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(sema_object, OBJECT_SEMAPHORE));
    return info_get(semaphore_info, INFO_COUNT(semaphore_info), sema_object, param_name, param_value_size, param_value,
                    param_value_size_ret);
}
