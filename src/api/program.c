// SPDX-License-Identifier: Apache-2.0
// Programs: created from source, SPIR-V or binaries; building, compiling, linking.
//
// Builds run in the calling thread, so a callback has been called when the function returns.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

// ---- creation -----------------------------------------------------------------------------------

static cl_int create_from_source(cl_context context, cl_uint count, const char **strings,
                                 const size_t *lengths, cl_program *out)
{
    cl_program program;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!count || !strings)
        return REFUSE(CL_INVALID_VALUE, "no source strings are specified");
    for (cl_uint i = 0; i < count; i++) {
        if (!strings[i])
            return REFUSE(CL_INVALID_VALUE, "source string %u is NULL", i);
    }
    TRY(program_create(context, &program));
    cl_int error = program_set_source(program, count, strings, lengths);
    if (error)
        object_drop(program);
    else
        *out = program;
    return error;
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **strings, const size_t *lengths,
                                                 cl_int *errcode_ret)
{
    API_CALL;
    cl_program program = NULL;
    api_set_error(errcode_ret, create_from_source(context, count, strings, lengths, &program));
    return program;
}

// Marks the context's devices in a list; NULL: the devices in `all`.
static cl_int mark_devices(const struct _cl_context *context, const bool *all, cl_uint count,
                           const cl_device_id *list, bool *marks)
{
    memset(marks, 0, context->device_count * sizeof *marks);
    if (!list != !count)
        return REFUSE(CL_INVALID_VALUE, "%u devices in a list that is %s", count,
                      list ? "non-NULL" : "NULL");
    for (cl_uint i = 0; i < context->device_count && !list; i++)
        marks[i] = !all || all[i];
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(list[i], OBJECT_DEVICE));
        int index = context_find(context, list[i]);
        if (index < 0 || (all && !all[index]))
            return REFUSE(CL_INVALID_DEVICE, "device %u of the list is not in the context or the program", i);
        marks[index] = true;
    }
    return CL_SUCCESS;
}

static bool *new_marks(const struct _cl_context *context)
{
    return calloc(context->device_count, sizeof(bool));
}

static cl_int check_binaries(cl_uint count, const size_t *lengths, const unsigned char **binaries,
                             cl_int *status)
{
    if (!lengths || !binaries)
        return REFUSE(CL_INVALID_VALUE, "no binaries");
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) {
        cl_int one = lengths[i] && binaries[i] ? CL_SUCCESS : CL_INVALID_VALUE;
        if (status)
            status[i] = one;
        if (one)
            error = REFUSE(CL_INVALID_VALUE, "binary %u is empty", i);
    }
    return error;
}

static cl_int load_binaries(cl_program program, cl_uint count, const cl_device_id *devices,
                            const size_t *lengths, const unsigned char **binaries, cl_int *status)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) {
        int index = context_find(program->context, devices[i]);
        cl_int one = program->builds[index].code
                         ? CL_INVALID_VALUE // the device is listed twice
                         : program_set_binary(program, index, binaries[i], lengths[i]);
        if (status)
            status[i] = one;
        if (one && !error)
            error = one;
    }
    return error;
}

static cl_int create_from_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                 const size_t *lengths, const unsigned char **binaries,
                                 cl_int *status, cl_program *out)
{
    cl_program program;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!devices || !count)
        return REFUSE(CL_INVALID_VALUE, "no devices");
    TRY(program_create(context, &program));
    cl_int error = mark_devices(context, NULL, count, devices, program->devices);
    if (!error)
        error = check_binaries(count, lengths, binaries, status);
    if (!error)
        error = load_binaries(program, count, devices, lengths, binaries, status);
    if (error)
        object_drop(program);
    else
        *out = program;
    return error;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id *device_list,
                                                 const size_t *lengths,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *errcode_ret)
{
    API_CALL;
    cl_program program = NULL;
    api_set_error(errcode_ret, create_from_binary(context, num_devices, device_list, lengths,
                                                  binaries, binary_status, &program));
    return program;
}

// Either all devices support SPIR-V or none.
static cl_int check_il(const struct _cl_context *context)
{
    if (device_caps_has(&context->devices[0].device->caps, KC_EXT_IL_PROGRAM))
        return CL_SUCCESS;
    return REFUSE(CL_INVALID_OPERATION, "no device supports SPIR-V programs");
}

static cl_int create_from_il(cl_context context, const void *il, size_t length, cl_program *out)
{
    cl_program program;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!il || !length)
        return REFUSE(CL_INVALID_VALUE, "the intermediate language is NULL or empty");
    TRY(check_il(context));
    TRY(program_create(context, &program));
    cl_int error = program_set_il(program, il, length);
    if (error)
        object_drop(program);
    else
        *out = program;
    return error == CL_INVALID_VALUE ? REFUSE(error, "the intermediate language is not SPIR-V") : error;
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *errcode_ret)
{
    API_CALL;
    cl_program program = NULL;
    api_set_error(errcode_ret, create_from_il(context, il, length, &program));
    return program;
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                                cl_int *errcode_ret)
{
    API_CALL;
    return clCreateProgramWithIL(context, il, length, errcode_ret);
}

// ---- building -----------------------------------------------------------------------------------

static cl_int check_options(const char *options, bool link, cl_int code)
{
    char why[256];
    if (kc_check_options(options, link, why, sizeof why) == KC_OK)
        return CL_SUCCESS;
    return REFUSE(code, "%s", why);
}

// Also writes the error to the build log, for programs that only read that.
static cl_int check_source_options(struct _cl_program *program, const bool *marks,
                                   const char *options, enum program_action action)
{
    char why[256];
    if (kc_check_options(options, false, why, sizeof why) == KC_OK)
        return CL_SUCCESS;
    return REFUSE(program_refuse_options(program, marks, options, why, action), "%s", why);
}

static cl_int check_rebuild(struct _cl_program *program)
{
    if (program->linked)
        return REFUSE(CL_INVALID_OPERATION, "the program was created by clLinkProgram");
    if (atomic_load(&program->kernels))
        return REFUSE(CL_INVALID_OPERATION, "the program has kernel objects");
    return CL_SUCCESS;
}

// A program created from a binary already has its code.
static cl_int build_binary(struct _cl_program *program, const bool *marks, const char *options)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->context->device_count && !error; i++) {
        struct program_build *build = &program->builds[i];
        if (!marks[i])
            continue;
        if (!build->code)
            error = CL_INVALID_BINARY;
        else if (options)
            error = program_set_text(&build->options, options);
        build->status = error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
        if (!error)
            build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    }
    pthread_mutex_unlock(&program->lock);
    return error;
}

static cl_int build(cl_program program, cl_uint count, const cl_device_id *list,
                    const char *options, bool *marks)
{
    TRY(mark_devices(program->context, program->devices, count, list, marks));
    TRY(check_rebuild(program));
    if (!program->source && !program->il) {
        TRY(check_options(options, false, CL_INVALID_BUILD_OPTIONS));
        return build_binary(program, marks, options);
    }
    TRY(check_source_options(program, marks, options, PROGRAM_BUILD));
    return program_compile(program, marks, options, PROGRAM_BUILD);
}

static void notify(cl_program program, void(CL_CALLBACK *fn)(cl_program, void *), void *user_data)
{
    unsigned depth = gate_step_out();
    fn(program, user_data);
    gate_step_in(depth);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id *device_list, const char *options,
                                  void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                  void *user_data)
{
    API_CALL;
    TRY(api_check(program, OBJECT_PROGRAM));
    if (!pfn_notify && user_data)
        return REFUSE(CL_INVALID_VALUE, "user data without a callback function");
    bool *marks = new_marks(program->context);
    if (!marks)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = build(program, num_devices, device_list, options, marks);
    free(marks);
    if (error == CL_BUILD_PROGRAM_FAILURE)
        context_report(program->context, "the build failed, see the build log (PUMICE_DEBUG=build prints it)");
    if (pfn_notify && (!error || error == CL_BUILD_PROGRAM_FAILURE))
        notify(program, pfn_notify, user_data);
    return error;
}

static cl_int check_headers(const struct _cl_program *program, cl_uint count,
                            const cl_program *headers, const char **names)
{
    if ((count && (!headers || !names)) || (!count && (headers || names)))
        return REFUSE(CL_INVALID_VALUE, "%u headers, but the lists do not match", count);
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(headers[i], OBJECT_PROGRAM));
        if (headers[i]->context != program->context)
            return REFUSE(CL_INVALID_CONTEXT, "header %u belongs to another context", i);
        if (!headers[i]->source || !names[i])
            return REFUSE(CL_INVALID_VALUE, "header %u has no source, or no name", i);
    }
    return CL_SUCCESS;
}

struct compile_call {
    cl_uint device_count;
    const cl_device_id *devices;
    const char *options;
    cl_uint header_count;
    const cl_program *headers;
    const char **names;
};

static cl_int compile(cl_program program, const struct compile_call *call, bool *marks)
{
    TRY(check_headers(program, call->header_count, call->headers, call->names));
    TRY(mark_devices(program->context, program->devices, call->device_count, call->devices, marks));
    if (!program->source && !program->il)
        return REFUSE(CL_INVALID_OPERATION, "the program has neither source nor SPIR-V");
    TRY(check_rebuild(program));
    TRY(check_source_options(program, marks, call->options, PROGRAM_COMPILE));
    pthread_mutex_lock(&program->lock);
    cl_int error = program_set_headers(program, call->header_count, call->headers, call->names);
    pthread_mutex_unlock(&program->lock);
    return error ? error : program_compile(program, marks, call->options, PROGRAM_COMPILE);
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                    const cl_device_id *device_list, const char *options,
                                    cl_uint num_input_headers, const cl_program *input_headers,
                                    const char **header_include_names,
                                    void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                    void *user_data)
{
    API_CALL;
    TRY(api_check(program, OBJECT_PROGRAM));
    if (!pfn_notify && user_data)
        return REFUSE(CL_INVALID_VALUE, "user data without a callback function");
    bool *marks = new_marks(program->context);
    if (!marks)
        return CL_OUT_OF_HOST_MEMORY;
    struct compile_call call = {num_devices,       device_list,   options,
                                num_input_headers, input_headers, header_include_names};
    cl_int error = compile(program, &call, marks);
    free(marks);
    if (pfn_notify && (!error || error == CL_COMPILE_PROGRAM_FAILURE))
        notify(program, pfn_notify, user_data);
    return error;
}

// ---- linking ------------------------------------------------------------------------------------

// Unmarks devices for which not all inputs have an object. It is an error if only some have one for
// a device, or if no device is left.
static cl_int check_inputs(const struct _cl_context *context, bool *marks, cl_uint count,
                           const cl_program *inputs)
{
    bool any = false;
    if (!count || !inputs)
        return REFUSE(CL_INVALID_VALUE, "no input programs are specified");
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(inputs[i], OBJECT_PROGRAM));
        if (inputs[i]->context != context)
            return REFUSE(CL_INVALID_CONTEXT, "input program %u belongs to another context", i);
    }
    for (cl_uint device = 0; device < context->device_count; device++) {
        cl_uint ready = 0;
        for (cl_uint i = 0; marks[device] && i < count; i++)
            ready += program_linkable(inputs[i], device);
        if (ready && ready < count)
            return REFUSE(CL_INVALID_OPERATION,
                          "%u of %u input programs are compiled for device %u", ready, count,
                          device);
        marks[device] = ready != 0;
        any |= marks[device];
    }
    return any ? CL_SUCCESS : REFUSE(CL_INVALID_OPERATION, "no input program is compiled");
}

struct link_call {
    cl_uint device_count;
    const cl_device_id *devices;
    const char *options;
    cl_uint input_count;
    const cl_program *inputs;
};

static cl_int link_checked(cl_context context, const struct link_call *call,
                           struct _cl_program *program, bool *marks)
{
    TRY(mark_devices(context, NULL, call->device_count, call->devices, program->devices));
    memcpy(marks, program->devices, context->device_count * sizeof *marks);
    TRY(check_options(call->options, true, CL_INVALID_LINKER_OPTIONS));
    TRY(check_inputs(context, marks, call->input_count, call->inputs));
    return program_link(program, marks, call->options, call->input_count, call->inputs);
}

static cl_int link_program(cl_context context, const struct link_call *call, cl_program *out)
{
    cl_program program;
    TRY(api_check(context, OBJECT_CONTEXT));
    TRY(program_create(context, &program));
    program->linked = true;
    bool *marks = new_marks(context);
    cl_int error = marks ? link_checked(context, call, program, marks) : CL_OUT_OF_HOST_MEMORY;
    free(marks);
    // A failed link still returns the program, whose log contains the reason.
    if (error && error != CL_LINK_PROGRAM_FAILURE)
        object_drop(program);
    else
        *out = program;
    return error;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                     const cl_device_id *device_list, const char *options,
                                     cl_uint num_input_programs, const cl_program *input_programs,
                                     void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                     void *user_data, cl_int *errcode_ret)
{
    API_CALL;
    cl_program program = NULL;
    cl_int error = CL_INVALID_VALUE;
    struct link_call call = {num_devices, device_list, options, num_input_programs, input_programs};
    if (!pfn_notify && user_data)
        error = REFUSE(CL_INVALID_VALUE, "user data without a callback function");
    else
        error = link_program(context, &call, &program);
    api_set_error(errcode_ret, error);
    if (pfn_notify && program)
        notify(program, pfn_notify, user_data);
    return program;
}

// ---- other entry points -------------------------------------------------------------------------

cl_int CL_API_CALL clRetainProgram(cl_program program)
{
    API_QUICK_CALL;
    return api_retain(program, OBJECT_PROGRAM);
}

cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
    API_CALL;
    return api_release(program, OBJECT_PROGRAM);
}

static cl_int no_built_in_kernels(cl_context context, cl_uint count, const cl_device_id *devices,
                                  const char *names)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    if (!count || !devices || !names)
        return REFUSE(CL_INVALID_VALUE, "no devices or no kernel names are specified");
    for (cl_uint i = 0; i < count; i++) {
        TRY(api_check(devices[i], OBJECT_DEVICE));
        if (context_find(context, devices[i]) < 0)
            return REFUSE(CL_INVALID_DEVICE, "device %u is not in the context", i);
    }
    return REFUSE(CL_INVALID_VALUE, "built-in kernels are not supported");
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id *device_list,
                                                         const char *kernel_names,
                                                         cl_int *errcode_ret)
{
    API_CALL;
    api_set_error(errcode_ret,
                  no_built_in_kernels(context, num_devices, device_list, kernel_names));
    return NULL;
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                               void *user_data)
{
    API_CALL;
    (void)user_data;
    TRY(api_check(program, OBJECT_PROGRAM));
    if (!pfn_notify)
        return REFUSE(CL_INVALID_VALUE, "no function");
    return REFUSE(CL_INVALID_OPERATION, "program release callbacks are not supported");
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                      size_t spec_size, const void *spec_value)
{
    API_CALL;
    TRY(api_check(program, OBJECT_PROGRAM));
    TRY(check_il(program->context));
    if (!program->il)
        return REFUSE(CL_INVALID_PROGRAM, "the program was not created from SPIR-V");
    if (!spec_value)
        return REFUSE(CL_INVALID_VALUE, "no value");
    cl_int error = program_set_spec(program, spec_id, spec_size, spec_value);
    if (error == CL_INVALID_SPEC_ID)
        return REFUSE(error, "the module has no specialization constant %u", spec_id);
    return error ? REFUSE(error, "specialization constant %u does not have %zu bytes", spec_id, spec_size) : error;
}
