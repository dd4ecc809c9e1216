// SPDX-License-Identifier: Apache-2.0
// Events: waiting, callbacks, user events, profiling; markers and barriers.
#include "api/api.h"

#include <stdlib.h>

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_status(const void *object, struct info *info)
{
    cl_int status = cmd_status(((const struct _cl_event *)object)->command);
    info_put(info, &status, sizeof status);
    return CL_SUCCESS;
}

static const struct info_row event_info[] = {
    INFO_FIELD(CL_EVENT_COMMAND_QUEUE, struct _cl_event, queue),
    INFO_FIELD(CL_EVENT_CONTEXT, struct _cl_event, context),
    INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct _cl_event, type),
    INFO_CALL(CL_EVENT_COMMAND_EXECUTION_STATUS, get_status),
    INFO_CALL(CL_EVENT_REFERENCE_COUNT, api_get_references),
};

struct event_times {
    cl_ulong queued, submit, start, end, complete;
};

static const struct info_row profiling_info[] = {
    INFO_FIELD(CL_PROFILING_COMMAND_QUEUED, struct event_times, queued),
    INFO_FIELD(CL_PROFILING_COMMAND_SUBMIT, struct event_times, submit),
    INFO_FIELD(CL_PROFILING_COMMAND_START, struct event_times, start),
    INFO_FIELD(CL_PROFILING_COMMAND_END, struct event_times, end),
    INFO_FIELD(CL_PROFILING_COMMAND_COMPLETE, struct event_times, complete),
};

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(event, OBJECT_EVENT));
    return info_get(event_info, INFO_COUNT(event_info), event, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret)
{
    API_CALL;
    cl_ulong times[5];
    TRY(api_check(event, OBJECT_EVENT));
    if (!event->queue || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
        event->type == CL_COMMAND_SVM_FREE)
        return REFUSE(CL_PROFILING_INFO_NOT_AVAILABLE,
                      "no profiling information: the event is a user event, of clEnqueueSVMFree, or of a queue without profiling");
    TRY(cmd_profile(event->command, times));
    struct event_times named = {times[0], times[1], times[2], times[3], times[4]};
    return info_get(profiling_info, INFO_COUNT(profiling_info), &named, param_name,
                    param_value_size, param_value, param_value_size_ret);
}

// ---- references, waiting, callbacks -------------------------------------------------------------

cl_int CL_API_CALL clRetainEvent(cl_event event)
{
    API_QUICK_CALL;
    return api_retain(event, OBJECT_EVENT);
}

cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    API_CALL;
    return api_release(event, OBJECT_EVENT);
}

static cl_int check_event_list(cl_uint count, const cl_event *list)
{
    if (!count || !list)
        return REFUSE(CL_INVALID_VALUE, "no events");
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(list[i], OBJECT_EVENT));
        if (list[i]->context != list[0]->context)
            return REFUSE(CL_INVALID_CONTEXT, "the events belong to different contexts");
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    API_CALL;
    TRY(check_event_list(num_events, event_list));
    struct command *small[API_SMALL], **commands = small;
    if (num_events > API_SMALL) {
        commands = malloc(num_events * sizeof *commands);
        if (!commands)
            return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; i < num_events; i++) // another thread may release the events meanwhile
        commands[i] = cmd_retain(event_list[i]->command);
    cl_int error = cmd_wait_settled(commands, num_events);
    for (cl_uint i = 0; i < num_events; i++)
        cmd_release(commands[i]);
    if (commands != small)
        free(commands);
    return error;
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *),
                                      void *user_data)
{
    API_CALL;
    TRY(api_check(event, OBJECT_EVENT));
    if (!pfn_notify)
        return REFUSE(CL_INVALID_VALUE, "no function");
    if (command_exec_callback_type != CL_SUBMITTED && command_exec_callback_type != CL_RUNNING &&
        command_exec_callback_type != CL_COMPLETE)
        return REFUSE(CL_INVALID_VALUE, "invalid callback type %d", command_exec_callback_type);
    return event_on_status(event, command_exec_callback_type, pfn_notify, user_data);
}

// ---- user events --------------------------------------------------------------------------------

static cl_int create_user_event(cl_context context, cl_event *out)
{
    struct command *command;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(cmd_user_create(&command));
    return event_create(context, NULL, CL_COMMAND_USER, command, out);
}

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    API_CALL;
    cl_event event = NULL;
    api_set_error(errcode_ret, create_user_event(context, &event));
    return event;
}

// An event may be set after its release while commands wait for it: the specification advises against it, but programs
// do that.
cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status)
{
    API_CALL;
    if (!object_is(event, OBJECT_RELEASED_EVENT) || !object_is_ours(event))
        TRY(api_check(event, OBJECT_EVENT));
    if (event->type != CL_COMMAND_USER)
        return REFUSE(CL_INVALID_EVENT, "not a user event");
    if (execution_status > CL_COMPLETE)
        return REFUSE(CL_INVALID_VALUE, "status %d", execution_status);
    struct command *command = cmd_retain(event->command); // another thread may release the event meanwhile
    cl_int error = cmd_user_set(command, execution_status);
    cmd_release(command);
    return error;
}

// ---- markers and barriers -----------------------------------------------------------------------

static cl_int enqueue_order(cl_command_queue queue, cl_uint count, const cl_event *list,
                            cl_event *event, cl_int (*enqueue_fn)(const struct cmd_request *),
                            cl_command_type type)
{
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, queue, count, list, event));
    cl_int error = enqueue_fn(&enqueue.request);
    return api_enqueue_end(&enqueue, error, type, event);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return enqueue_order(command_queue, num_events_in_wait_list, event_wait_list, event, cmd_marker,
                         CL_COMMAND_MARKER);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    return enqueue_order(command_queue, num_events_in_wait_list, event_wait_list, event,
                         cmd_barrier, CL_COMMAND_BARRIER);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event *event)
{
    API_CALL;
    if (!event)
        return REFUSE(CL_INVALID_VALUE, "the pointer for the event is NULL");
    return enqueue_order(command_queue, 0, NULL, event, cmd_marker, CL_COMMAND_MARKER);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue)
{
    API_CALL;
    return enqueue_order(command_queue, 0, NULL, NULL, cmd_barrier, CL_COMMAND_BARRIER);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                          const cl_event *event_list)
{
    API_CALL;
    TRY(api_check_queue(command_queue));
    TRY(check_event_list(num_events, event_list));
    if (event_list[0]->context != command_queue->context)
        return REFUSE(CL_INVALID_CONTEXT, "the events belong to another context");
    return enqueue_order(command_queue, num_events, event_list, NULL, cmd_barrier,
                         CL_COMMAND_BARRIER);
}
