// SPDX-License-Identifier: Apache-2.0
// Queries of programs and their builds, including binaries.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

static cl_int get_device_count(const void *object, struct info *info)
{
    const struct _cl_program *program = object;
    cl_uint count = 0;
    for (cl_uint i = 0; i < program->context->device_count; i++)
        count += program->devices[i];
    info_uint(info, count);
    return CL_SUCCESS;
}

static cl_int get_devices(const void *object, struct info *info)
{
    const struct _cl_program *program = object;
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        if (program->devices[i])
            info_handle(info, program->context->devices[i].device);
    }
    return CL_SUCCESS;
}

static cl_int get_il(const void *object, struct info *info)
{
    const struct _cl_program *program = object;
    info_put(info, program->il, program->il_size);
    return CL_SUCCESS;
}

// ---- kernels ------------------------------------------------------------------------------------

static cl_int first_code(const struct _cl_program *program, const struct kc_program **code)
{
    int index = program_first_built(program);
    if (index < 0)
        return REFUSE(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built");
    *code = program->builds[index].code->program;
    return CL_SUCCESS;
}

static cl_int get_kernel_count(const void *object, struct info *info)
{
    const struct kc_program *code = NULL;
    TRY(first_code(object, &code));
    info_size(info, program_kernel_count(code));
    return CL_SUCCESS;
}

static cl_int get_kernel_names(const void *object, struct info *info)
{
    const struct kc_program *code = NULL;
    TRY(first_code(object, &code));
    for (uint32_t i = 0, shown = 0; i < code->kernel_count; i++) {
        if (code->kernels[i].block)
            continue;
        if (shown++)
            info_put(info, ";", 1);
        info_put(info, code->kernels[i].name, strlen(code->kernels[i].name));
    }
    info_put(info, "", 1);
    return CL_SUCCESS;
}

// ---- binaries -----------------------------------------------------------------------------------

static cl_int write_binary(const struct _cl_program *program, cl_uint device, unsigned char **data,
                           size_t *size)
{
    const struct kc_target *target = program->context->devices[device].target;
    const struct program_text source = program_build_source(program, device);
    return program_binary_write(&program->builds[device], &source, target, data, size);
}

static cl_int get_binary_sizes(const void *object, struct info *info)
{
    const struct _cl_program *program = object;
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        unsigned char *data;
        size_t size;
        if (!program->devices[i])
            continue;
        TRY(write_binary(program, i, &data, &size));
        free(data);
        info_size(info, size);
    }
    return CL_SUCCESS;
}

// The value contains a pointer for each device, where the application wants the binary.
static cl_int get_binaries(const void *object, struct info *info)
{
    const struct _cl_program *program = object;
    unsigned char **places = (unsigned char **)info->value;
    size_t count = 0;
    for (cl_uint i = 0; i < program->context->device_count; i++)
        count += program->devices[i];
    info->size = count * sizeof *places;
    if (!places || info->capacity < info->size)
        return CL_SUCCESS;
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        unsigned char *data;
        size_t size;
        if (!program->devices[i])
            continue;
        unsigned char *place = *places++;
        if (!place)
            continue;
        TRY(write_binary(program, i, &data, &size));
        if (size)
            memcpy(place, data, size);
        free(data);
    }
    return CL_SUCCESS;
}

static const struct info_row program_info[] = {
    INFO_CALL(CL_PROGRAM_REFERENCE_COUNT, api_get_references),
    INFO_FIELD(CL_PROGRAM_CONTEXT, struct _cl_program, context),
    INFO_CALL(CL_PROGRAM_NUM_DEVICES, get_device_count),
    INFO_CALL(CL_PROGRAM_DEVICES, get_devices),
    INFO_STRING_AT(CL_PROGRAM_SOURCE, struct _cl_program, source),
    INFO_CALL(CL_PROGRAM_IL, get_il),
    INFO_CALL(CL_PROGRAM_BINARY_SIZES, get_binary_sizes),
    INFO_CALL(CL_PROGRAM_BINARIES, get_binaries),
    INFO_CALL(CL_PROGRAM_NUM_KERNELS, get_kernel_count),
    INFO_CALL(CL_PROGRAM_KERNEL_NAMES, get_kernel_names),
    INFO_VALUE(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool, CL_FALSE),
    INFO_VALUE(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool, CL_FALSE),
};

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(program, OBJECT_PROGRAM));
    pthread_mutex_lock(&program->lock);
    cl_int error = info_get(program_info, INFO_COUNT(program_info), program, param_name,
                            param_value_size, param_value, param_value_size_ret);
    pthread_mutex_unlock(&program->lock);
    return error;
}

// ---- builds -------------------------------------------------------------------------------------

static cl_int get_variable_size(const void *object, struct info *info)
{
    const struct program_build *build = object;
    bool variables = build->code && build->code->program->data_writable;
    info_size(info, variables ? build->code->program->data_size : 0);
    return CL_SUCCESS;
}

static const struct info_row build_info[] = {
    INFO_FIELD(CL_PROGRAM_BUILD_STATUS, struct program_build, status),
    INFO_STRING_AT(CL_PROGRAM_BUILD_OPTIONS, struct program_build, options),
    INFO_STRING_AT(CL_PROGRAM_BUILD_LOG, struct program_build, log),
    INFO_FIELD(CL_PROGRAM_BINARY_TYPE, struct program_build, type),
    INFO_CALL(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, get_variable_size),
};

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(program, OBJECT_PROGRAM));
    TRY(api_check(device, OBJECT_DEVICE));
    int index = context_find(program->context, device);
    if (index < 0 || !program->devices[index])
        return REFUSE(CL_INVALID_DEVICE, "the device is not a device of the program");
    pthread_mutex_lock(&program->lock);
    cl_int error = info_get(build_info, INFO_COUNT(build_info), &program->builds[index], param_name,
                            param_value_size, param_value, param_value_size_ret);
    pthread_mutex_unlock(&program->lock);
    return error;
}
