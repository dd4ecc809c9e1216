// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer_mutable_dispatch: queries and updates of recorded launches.
//
// A launch that can be updated has a kernel of its own with the current arguments. An update
// modifies copies of those, creates new commands from them with all checks of an enqueue, and
// replaces the old commands only if all could be created. The next enqueue records them.
#include "api/command_buffer.h"

#include <stdlib.h>
#include <string.h>

// ---- handles ------------------------------------------------------------------------------------

static cl_int check_property(const cl_command_properties_khr *property)
{
    cl_bitfield known;
    if (property[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR)
        known = COMMAND_BUFFER_FIELDS;
    else if (property[0] == CL_MUTABLE_DISPATCH_ASSERTS_KHR)
        known = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    else
        return REFUSE(CL_INVALID_VALUE, "unknown property 0x%llx", (unsigned long long)property[0]);
    if (property[1] & ~known)
        return REFUSE(CL_INVALID_VALUE, "invalid value 0x%llx of property 0x%llx", (unsigned long long)property[1],
                      (unsigned long long)property[0]);
    return CL_SUCCESS;
}

cl_int record_read_properties(const cl_command_properties_khr *list, cl_mutable_dispatch_fields_khr *fields,
                              size_t *count)
{
    size_t i = 0;
    *fields = COMMAND_BUFFER_FIELDS;
    for (; list && list[i]; i += 2) {
        TRY(check_property(&list[i]));
        for (size_t before = 0; before < i; before += 2)
            if (list[before] == list[i])
                return REFUSE(CL_INVALID_VALUE, "property 0x%llx is specified twice", (unsigned long long)list[i]);
        if (list[i] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR)
            *fields = list[i + 1];
    }
    *count = list ? i + 1 : 0;
    return CL_SUCCESS;
}

static void copy_sizes(size_t to[3], const size_t *from, cl_uint dims)
{
    for (cl_uint i = 0; i < dims && i < 3 && from; i++)
        to[i] = from[i];
}

cl_int record_make_handle(const struct record_call *call, const struct launch_call *launch,
                          struct _cl_mutable_command_khr **out)
{
    struct _cl_mutable_command_khr *handle;
    cl_mutable_dispatch_fields_khr fields;
    size_t count;
    TRY(record_read_properties(call->properties, &fields, &count));
    TRY(mutable_command_create(launch->kernel, call->properties, count, &handle));
    handle->dims = launch->dims;
    handle->fields = call->buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR ? fields : 0;
    copy_sizes(handle->state.offset, launch->offset, launch->dims);
    copy_sizes(handle->state.global, launch->global, launch->dims);
    copy_sizes(handle->state.local, launch->local, launch->dims);
    handle->state.has_local = launch->local;
    cl_int error = handle->fields ? kernel_clone(launch->kernel, &handle->state.kernel) : CL_SUCCESS;
    if (error)
        object_drop(handle);
    else
        *out = handle;
    return error;
}

// ---- updates ------------------------------------------------------------------------------------

// The update of one launch in a call.
struct mutable_update {
    struct _cl_mutable_command_khr *handle;
    struct launch_state state; // the new state
    struct command *command;
};

struct update_call {
    struct _cl_command_buffer_khr *buffer;
    struct mutable_update *updates;
    cl_uint count;
};

typedef cl_mutable_dispatch_config_khr config;

static cl_int check_lists(const config *c)
{
    if (!c->arg_list != !c->num_args || !c->arg_svm_list != !c->num_svm_args || !c->exec_info_list != !c->num_exec_infos)
        return REFUSE(CL_INVALID_VALUE, "the list is NULL and its count is not 0, or the reverse");
    return CL_SUCCESS;
}

static cl_int check_fields(const struct _cl_mutable_command_khr *handle, const config *c)
{
    cl_mutable_dispatch_fields_khr wanted = 0;
    wanted |= c->global_work_offset ? CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR : 0;
    wanted |= c->global_work_size ? CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR : 0;
    wanted |= c->local_work_size ? CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR : 0;
    wanted |= c->num_args || c->num_svm_args ? CL_MUTABLE_DISPATCH_ARGUMENTS_KHR : 0;
    wanted |= c->num_exec_infos ? CL_MUTABLE_DISPATCH_EXEC_INFO_KHR : 0;
    if (wanted & ~handle->fields)
        return REFUSE(CL_INVALID_OPERATION, "the update needs mutable fields 0x%llx, the command has 0x%llx",
                      (unsigned long long)wanted, (unsigned long long)handle->fields);
    if (c->work_dim && c->work_dim != handle->dims)
        return REFUSE(CL_INVALID_OPERATION, "the update has %u dimensions, the command %u", c->work_dim, handle->dims);
    return CL_SUCCESS;
}

static bool is_uniform(const struct launch_state *state, cl_uint dims)
{
    for (cl_uint i = 0; i < dims; i++)
        if (state->local[i] && state->global[i] % state->local[i])
            return false;
    return true;
}

static cl_int set_sizes(const struct _cl_mutable_command_khr *handle, struct launch_state *state, const config *c)
{
    bool before = is_uniform(state, handle->dims), sized = state->has_local;
    copy_sizes(state->offset, c->global_work_offset, handle->dims);
    copy_sizes(state->global, c->global_work_size, handle->dims);
    copy_sizes(state->local, c->local_work_size, handle->dims);
    state->has_local |= c->local_work_size != NULL;
    if (sized && is_uniform(state, handle->dims) != before)
        return REFUSE(CL_INVALID_OPERATION, "the update makes a uniform work-group size non-uniform");
    return CL_SUCCESS;
}

static cl_int set_arguments(struct _cl_kernel *kernel, const config *c)
{
    for (cl_uint i = 0; i < c->num_args; i++)
        TRY(clSetKernelArg(kernel, c->arg_list[i].arg_index, c->arg_list[i].arg_size, c->arg_list[i].arg_value));
    for (cl_uint i = 0; i < c->num_svm_args; i++)
        TRY(clSetKernelArgSVMPointer(kernel, c->arg_svm_list[i].arg_index, c->arg_svm_list[i].arg_value));
    for (cl_uint i = 0; i < c->num_exec_infos; i++)
        TRY(clSetKernelExecInfo(kernel, c->exec_info_list[i].param_name, c->exec_info_list[i].param_value_size,
                                c->exec_info_list[i].param_value));
    return CL_SUCCESS;
}

// The launch's update in this call; several configurations of one launch share one update.
static cl_int find_update(struct update_call *call, struct _cl_mutable_command_khr *handle,
                          struct mutable_update **out)
{
    if (!handle->update) {
        struct mutable_update *update = &call->updates[call->count];
        *update = (struct mutable_update){handle, handle->state, NULL};
        update->state.kernel = NULL;
        TRY(kernel_clone(handle->state.kernel, &update->state.kernel));
        call->count++;
        handle->update = update;
    }
    *out = handle->update;
    return CL_SUCCESS;
}

static cl_int configure(struct update_call *call, const config *c)
{
    struct mutable_update *update;
    TRY(api_check(c->command, OBJECT_MUTABLE_COMMAND));
    if (c->command->buffer != call->buffer)
        return REFUSE(CL_INVALID_MUTABLE_COMMAND_KHR, "the command belongs to another command buffer");
    TRY(check_lists(c));
    TRY(check_fields(c->command, c));
    if (!c->command->fields)
        return CL_SUCCESS; // nothing to change
    TRY(find_update(call, c->command, &update));
    TRY(set_sizes(c->command, &update->state, c));
    return set_arguments(update->state.kernel, c);
}

static cl_int launch_captured(struct api_enqueue *enqueue, struct _cl_command_buffer_khr *buffer,
                              struct mutable_update *update)
{
    const struct launch_state *state = &update->state;
    const struct launch_call launch = {state->kernel, update->handle->dims, state->offset, state->global,
                                       state->has_local ? state->local : NULL};
    cmd_recording_capture(buffer->recording, &update->command);
    cl_int error = launch_kernel(enqueue, &launch);
    cmd_recording_capture(buffer->recording, NULL);
    return error;
}

// Creates the new command; none while arguments are missing.
static cl_int make_command(struct _cl_command_buffer_khr *buffer, struct mutable_update *update)
{
    const struct record_call call = {.buffer = buffer};
    struct api_enqueue enqueue;
    struct _cl_mem *mem;
    uint32_t at = 0;
    TRY(api_enqueue_record(&enqueue, buffer->queue, cmd_recording_queue(buffer->recording)));
    cl_int error = launch_captured(&enqueue, buffer, update), full = CL_SUCCESS;
    update->state.incomplete = error == CL_INVALID_KERNEL_ARGS && !record_complete(update->state.kernel);
    while (!error && !full && buffer->queue->context->device_count > 1 && api_enqueue_next_memory(&enqueue, &at, &mem))
        full = command_buffer_use(call.buffer, mem);
    error = api_enqueue_end(&enqueue, error, 0, NULL);
    return update->state.incomplete ? CL_SUCCESS : error ? error : full;
}

static void commit(struct _cl_command_buffer_khr *buffer, struct mutable_update *update)
{
    struct _cl_mutable_command_khr *handle = update->handle;
    buffer->incomplete -= handle->state.incomplete;
    buffer->incomplete += update->state.incomplete;
    object_drop(handle->state.kernel);
    handle->state = update->state;
    if (update->command)
        cmd_recording_replace(buffer->recording, handle->point, update->command);
}

static cl_int apply(struct update_call *call, cl_uint count, const void **configs)
{
    for (cl_uint i = 0; i < count; i++)
        TRY(configure(call, configs[i]));
    for (cl_uint i = 0; i < call->count; i++)
        TRY(make_command(call->buffer, &call->updates[i]));
    for (cl_uint i = 0; i < call->count; i++)
        commit(call->buffer, &call->updates[i]);
    return CL_SUCCESS;
}

static cl_int update(struct _cl_command_buffer_khr *buffer, cl_uint count, const void **configs)
{
    if (!buffer->finalized)
        return REFUSE(CL_INVALID_OPERATION, "the command buffer is not finalized");
    if (!(buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
        return REFUSE(CL_INVALID_OPERATION, "the command buffer is not mutable");
    struct update_call call = {buffer, malloc(count * sizeof *call.updates), 0};
    if (count && !call.updates)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = apply(&call, count, configs);
    for (cl_uint i = 0; i < call.count; i++) {
        call.updates[i].handle->update = NULL;
        if (!error)
            continue;
        object_drop(call.updates[i].state.kernel);
        cmd_recording_discard(call.updates[i].command);
    }
    free(call.updates);
    return error;
}

static cl_int check_configs(cl_uint count, const cl_command_buffer_update_type_khr *types, const void **configs)
{
    if (!types != !count || !configs != !count)
        return REFUSE(CL_INVALID_VALUE, "invalid list: %u configurations at %p, types at %p", count, (const void *)configs,
                      (const void *)types);
    for (cl_uint i = 0; i < count; i++)
        if (types[i] != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR || !configs[i])
            return REFUSE(CL_INVALID_VALUE, "invalid configuration %u: type %u at %p", i, types[i], configs[i]);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr *config_types,
                                              const void **configs)
{
    API_CALL;
    TRY(api_check(command_buffer, OBJECT_COMMAND_BUFFER));
    TRY(check_configs(num_configs, config_types, configs));
    pthread_mutex_lock(&command_buffer->lock);
    cl_int error = update(command_buffer, num_configs, configs);
    pthread_mutex_unlock(&command_buffer->lock);
    return error;
}

// ---- queries ------------------------------------------------------------------------------------

static cl_int get_queue(const void *object, struct info *info)
{
    info_handle(info, ((const struct _cl_mutable_command_khr *)object)->buffer->queue);
    return CL_SUCCESS;
}

static cl_int get_properties(const void *object, struct info *info)
{
    const struct _cl_mutable_command_khr *handle = object;
    info_put(info, handle->property_list, handle->property_count * sizeof *handle->property_list);
    return CL_SUCCESS;
}

static cl_int get_offset(const void *object, struct info *info)
{
    const struct _cl_mutable_command_khr *handle = object;
    info_put(info, handle->state.offset, handle->dims * sizeof(size_t));
    return CL_SUCCESS;
}

static cl_int get_global(const void *object, struct info *info)
{
    const struct _cl_mutable_command_khr *handle = object;
    info_put(info, handle->state.global, handle->dims * sizeof(size_t));
    return CL_SUCCESS;
}

static cl_int get_local(const void *object, struct info *info)
{
    const struct _cl_mutable_command_khr *handle = object;
    info_put(info, handle->state.local, handle->dims * sizeof(size_t));
    return CL_SUCCESS;
}

static const struct info_row mutable_command_info[] = {
    INFO_CALL(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, get_queue),
    INFO_FIELD(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, struct _cl_mutable_command_khr, buffer),
    INFO_VALUE(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_command_type, CL_COMMAND_NDRANGE_KERNEL),
    INFO_CALL(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, get_properties),
    INFO_FIELD(CL_MUTABLE_DISPATCH_KERNEL_KHR, struct _cl_mutable_command_khr, kernel),
    INFO_FIELD(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, struct _cl_mutable_command_khr, dims),
    INFO_CALL(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, get_offset),
    INFO_CALL(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, get_global),
    INFO_CALL(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, get_local),
};

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(command, OBJECT_MUTABLE_COMMAND));
    pthread_mutex_lock(&command->buffer->lock);
    cl_int error = info_get(mutable_command_info, INFO_COUNT(mutable_command_info), command, param_name,
                            param_value_size, param_value, param_value_size_ret);
    pthread_mutex_unlock(&command->buffer->lock);
    return error;
}
