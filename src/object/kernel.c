// SPDX-License-Identifier: Apache-2.0
// Kernels refer to program code and have their own argument values.
#include "object/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"

static void kernel_destroy(void *object)
{
    struct _cl_kernel *kernel = object;
    struct _cl_program *program = kernel->program;
    for (cl_uint i = 0; kernel->devices && i < program->context->device_count; i++)
        program_code_drop(kernel->devices[i].code);
    free(kernel->devices);
    free(kernel->args);
    free(kernel->values);
    for (int i = 0; i <= KERNEL_POINTER_DEVICE; i++)
        free(kernel->extras[i].addresses);
    free(kernel);
    object_drop(program);
}

// A program can be rebuilt when the application has no kernels of it; running commands keep the old
// code.
static void kernel_owned(void *object, bool by_application)
{
    struct _cl_program *program = ((struct _cl_kernel *)object)->program;
    if (by_application)
        atomic_fetch_add(&program->kernels, 1);
    else
        atomic_fetch_sub(&program->kernels, 1);
}

// Frees a kernel that was never returned.
static void kernel_discard(struct _cl_kernel *kernel)
{
    kernel_owned(kernel, false);
    kernel_destroy(kernel);
}

static struct _cl_kernel *kernel_new(struct _cl_program *program)
{
    struct _cl_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    object_init(&kernel->base, OBJECT_KERNEL, kernel_destroy);
    kernel->base.owned = kernel_owned;
    kernel->program = object_use(program);
    kernel_owned(kernel, true);
    kernel->devices = calloc(program->context->device_count, sizeof *kernel->devices);
    if (!kernel->devices) {
        kernel_discard(kernel);
        return NULL;
    }
    return kernel;
}

// Finds the code for every device. Under the program's lock.
static cl_int kernel_bind(struct _cl_kernel *kernel, const char *name)
{
    struct _cl_program *program = kernel->program;
    bool built = false;
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        const struct program_build *build = &program->builds[i];
        struct program_code *code = build->code;
        if (!code || build->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE ||
            build->status != CL_BUILD_SUCCESS)
            continue;
        built = true;
        int index = program_code_find(code, name);
        if (index < 0)
            continue;
        struct kernel_device *device = &kernel->devices[i];
        cl_int error = program_code_kernel(code, (uint32_t)index, &device->commands);
        if (error)
            return error;
        program_code_use(code);
        device->code = code;
        device->info = &code->program->kernels[index];
        if (!kernel->info)
            kernel->info = device->info;
        else if (!program_same_args(kernel->info, device->info))
            return CL_INVALID_KERNEL_DEFINITION;
    }
    if (!built)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    return kernel->info ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
}

static size_t align_up(size_t value, size_t align)
{
    return (value + align - 1) / align * align;
}

static cl_int kernel_make_args(struct _cl_kernel *kernel)
{
    uint32_t count = kernel->info->arg_count;
    kernel->args = calloc(count ? count : 1, sizeof *kernel->args);
    if (!kernel->args)
        return CL_OUT_OF_HOST_MEMORY;
    size_t end = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kernel->info->args[i].kind != KC_ARG_VALUE && kernel->info->args[i].kind != KC_ARG_QUEUE)
            continue;
        kernel->args[i].at = end;
        end += align_up(kernel->info->args[i].size, 16);
    }
    kernel->values_size = end;
    kernel->values = calloc(1, end ? end : 1);
    return kernel->values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int kernel_create(struct _cl_program *program, const char *name, struct _cl_kernel **out)
{
    struct _cl_kernel *kernel = kernel_new(program);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&program->lock);
    cl_int error = kernel_bind(kernel, name);
    pthread_mutex_unlock(&program->lock);
    if (!error)
        error = kernel_make_args(kernel);
    if (error) {
        kernel_discard(kernel);
        return error;
    }
    for (cl_uint i = 0; i < program->context->device_count; i++)
        if (kernel->devices[i].commands)
            cmd_kernel_ahead(kernel->devices[i].commands, true);
    *out = kernel;
    return CL_SUCCESS;
}

cl_int kernel_set_extras(struct _cl_kernel *kernel, enum kernel_pointer kind,
                         const uint64_t *addresses, size_t count)
{
    uint64_t *copy = count ? malloc(count * sizeof *copy) : NULL;
    if (count && !copy)
        return CL_OUT_OF_HOST_MEMORY;
    if (count)
        memcpy(copy, addresses, count * sizeof *copy);
    free(kernel->extras[kind].addresses);
    kernel->extras[kind] = (struct kernel_extra){copy, count};
    return CL_SUCCESS;
}

cl_int kernel_clone(const struct _cl_kernel *from, struct _cl_kernel **out)
{
    struct _cl_kernel *kernel = kernel_new(from->program);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < from->program->context->device_count; i++) {
        kernel->devices[i] = from->devices[i];
        if (kernel->devices[i].code)
            program_code_use(kernel->devices[i].code);
    }
    kernel->info = from->info;
    kernel->no_system = from->no_system;
    kernel->system = from->system;
    kernel->indirect = from->indirect;
    cl_int error = kernel_make_args(kernel);
    for (int i = 0; i <= KERNEL_POINTER_DEVICE && !error; i++)
        error = kernel_set_extras(kernel, (enum kernel_pointer)i, from->extras[i].addresses,
                                  from->extras[i].count);
    if (error) {
        kernel_discard(kernel);
        return error;
    }
    memcpy(kernel->args, from->args, from->info->arg_count * sizeof *kernel->args);
    memcpy(kernel->values, from->values, from->values_size);
    *out = kernel;
    return CL_SUCCESS;
}
