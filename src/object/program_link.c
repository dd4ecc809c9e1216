// SPDX-License-Identifier: Apache-2.0
// Separate compilation: source -> objects for each device, objects -> programs and libraries.
//
// A compiled program or a library has an object (bytes, see kc.h) for each device instead of code.
#include "command/command.h"
#include "object/program.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/thread.h"

bool program_linkable(struct _cl_program *program, cl_uint device)
{
    pthread_mutex_lock(&program->lock);
    bool linkable = program->builds[device].object != NULL;
    pthread_mutex_unlock(&program->lock);
    return linkable;
}

void program_build_clear(struct program_build *build)
{
    program_code_drop(build->code);
    free(build->object);
    free((char *)build->source.text);
    build->code = NULL;
    build->object = NULL;
    build->object_size = 0;
    build->source = (struct program_text){0};
    build->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

cl_int program_set_object(struct program_build *build, const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size);
    if (!copy)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(copy, bytes, size);
    build->object = copy;
    build->object_size = size;
    return CL_SUCCESS;
}

// Takes log, status and bytes from the compiler's result.
static cl_int take_object(struct program_build *build, struct kc_object *object,
                          cl_program_binary_type type, enum program_action action)
{
    if (!object)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = program_set_log(build, object->status, object->log, action);
    if (!error)
        error = program_set_object(build, object->bytes, object->size);
    kc_object_destroy(object);
    if (error)
        return error;
    build->type = type;
    build->status = CL_BUILD_SUCCESS;
    return CL_SUCCESS;
}

cl_int program_compile_object(struct program_build *build, const struct kc_input *input,
                              const struct kc_target *target)
{
    return take_object(build, kc_compile(input, target), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                       PROGRAM_COMPILE);
}

static bool makes_library(const char *options)
{
    return options && strstr(options, "-create-library");
}

static cl_int link_device(struct _cl_program *program, cl_uint device, const char *options,
                          const struct kc_bytes *objects, cl_uint count)
{
    const struct kc_target *target = program->context->devices[device].target;
    struct program_build *build = &program->builds[device];
    struct kc_link_input input = {objects, count, options};
    build->status = CL_BUILD_ERROR;
    cl_int error = program_set_text(&build->options, options);
    if (error)
        return error;
    uint64_t begin = thread_now_ns();
    if (makes_library(options))
        error = take_object(build, kc_link_library(&input, target), CL_PROGRAM_BINARY_TYPE_LIBRARY,
                            PROGRAM_LINK);
    else
        error = program_set_code(program, (int)device, kc_link(&input, target), PROGRAM_LINK);
    cmd_trace_build("link", "programs", begin);
    return error;
}

// Copies the programs' objects for one device, because a program may be recompiled at any time.
// Freed as a whole.
static struct kc_bytes *copy_objects(cl_uint device, cl_uint count,
                                     struct _cl_program *const *inputs)
{
    struct kc_bytes *objects = calloc(count, sizeof *objects);
    for (cl_uint i = 0; objects && i < count; i++) {
        struct program_build *build = &inputs[i]->builds[device];
        pthread_mutex_lock(&inputs[i]->lock);
        void *copy = malloc(build->object_size + 1);
        if (copy && build->object)
            memcpy(copy, build->object, build->object_size);
        objects[i] = (struct kc_bytes){copy, build->object_size};
        pthread_mutex_unlock(&inputs[i]->lock);
    }
    return objects;
}

static void free_objects(struct kc_bytes *objects, cl_uint count)
{
    for (cl_uint i = 0; objects && i < count; i++)
        free((void *)objects[i].bytes);
    free(objects);
}

static bool all_there(const struct kc_bytes *objects, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        if (!objects || !objects[i].bytes)
            return false;
    return true;
}

cl_int program_link(struct _cl_program *program, const bool *devices, const char *options,
                    cl_uint count, struct _cl_program *const *inputs)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        if (!devices[i])
            continue;
        struct kc_bytes *objects = copy_objects(i, count, inputs);
        cl_int one = all_there(objects, count) ? link_device(program, i, options, objects, count)
                                               : CL_OUT_OF_HOST_MEMORY;
        free_objects(objects, count);
        if (!error)
            error = one;
    }
    return error;
}
