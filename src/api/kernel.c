// SPDX-License-Identifier: Apache-2.0
// Kernels: creation, arguments, queries.
#include "api/memory.h"
#include "object/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "object/svm.h"
#include "object/svm_type.h"
#include "object/usm.h"

// ---- creation -----------------------------------------------------------------------------------

static cl_int create_kernel(cl_program program, const char *name, cl_kernel *out)
{
    TRY(api_check(program, OBJECT_PROGRAM));
    if (!name)
        return REFUSE(CL_INVALID_VALUE, "the kernel name is NULL");
    cl_int error = kernel_create(program, name, out);
    return error ? REFUSE(error, "the program has no kernel '%s'", name) : CL_SUCCESS;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *kernel_name,
                                     cl_int *errcode_ret)
{
    API_CALL;
    cl_kernel kernel = NULL;
    api_set_error(errcode_ret, create_kernel(program, kernel_name, &kernel));
    return kernel;
}

// The code whose kernels clCreateKernelsInProgram creates; the caller drops it.
static cl_int code_of_kernels(struct _cl_program *program, struct program_code **code)
{
    pthread_mutex_lock(&program->lock);
    int index = program_first_built(program);
    if (index >= 0) {
        *code = program->builds[index].code;
        program_code_use(*code);
    }
    pthread_mutex_unlock(&program->lock);
    return index >= 0 ? CL_SUCCESS
                      : REFUSE(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built");
}

static cl_int create_all(struct _cl_program *program, const struct kc_program *code, cl_uint room,
                         cl_kernel *kernels)
{
    uint32_t count = program_kernel_count(code), made = 0;
    if (kernels && room < count)
        return REFUSE(CL_INVALID_VALUE, "the list has room for %u of %u kernels", room, count);
    for (uint32_t i = 0; kernels && i < code->kernel_count; i++) {
        if (code->kernels[i].block)
            continue;
        cl_int error = kernel_create(program, code->kernels[i].name, &kernels[made++]);
        if (!error)
            continue;
        while (--made)
            object_release(kernels[made - 1]);
        return error;
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                            cl_kernel *kernels, cl_uint *num_kernels_ret)
{
    API_CALL;
    struct program_code *code = NULL;
    TRY(api_check(program, OBJECT_PROGRAM));
    TRY(code_of_kernels(program, &code));
    cl_int error = create_all(program, code->program, num_kernels, kernels);
    if (!error && num_kernels_ret)
        *num_kernels_ret = program_kernel_count(code->program);
    program_code_drop(code);
    return error;
}

static cl_int clone_kernel(cl_kernel source, cl_kernel *out)
{
    TRY(api_check(source, OBJECT_KERNEL));
    return kernel_clone(source, out);
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
    API_CALL;
    cl_kernel kernel = NULL;
    api_set_error(errcode_ret, clone_kernel(source_kernel, &kernel));
    return kernel;
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
    API_QUICK_CALL;
    return api_retain(kernel, OBJECT_KERNEL);
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
    API_CALL;
    return api_release(kernel, OBJECT_KERNEL);
}

// ---- arguments ----------------------------------------------------------------------------------

static cl_int set_value(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (size != kernel->info->args[index].size)
        return REFUSE(CL_INVALID_ARG_SIZE, "argument %u needs %u bytes, not %zu", index,
                      kernel->info->args[index].size, size);
    if (!value)
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u: the value is NULL", index);
    memcpy(kernel->values + kernel->args[index].at, value, size);
    return CL_SUCCESS;
}

// Whether the argument is declared as a pointer that may be written; unknown types count as not.
static bool may_write(const struct kc_arg *arg)
{
    return arg->kind == KC_ARG_GLOBAL && arg->type_name && *arg->type_name && !(arg->type_qualifiers & KC_TYPE_CONST);
}

// A pipe argument needs a pipe object with the same packet size, and vice versa.
static cl_int check_pipe(const struct kc_arg *arg, cl_uint index, const struct _cl_mem *mem)
{
    bool wanted = arg->type_qualifiers & KC_TYPE_PIPE, is = mem && mem->type == CL_MEM_OBJECT_PIPE;
    if (wanted != is && (wanted || mem))
        return REFUSE(CL_INVALID_MEM_OBJECT, "argument %u: %s", index, wanted ? "no pipe" : "a pipe");
    if (wanted && arg->elem_size && arg->elem_size != mem->packet_size)
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u: the pipe has packets of %u bytes, expected %u", index,
                      arg->elem_size, mem->packet_size);
    return CL_SUCCESS;
}

static cl_int set_memory(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return REFUSE(CL_INVALID_ARG_SIZE, "argument %u is a memory object: the size must be that of cl_mem, not %zu", index,
                      size);
    cl_mem mem = value ? *(const cl_mem *)value : NULL;
    if (mem && (!object_is(mem, OBJECT_MEM) || mem->context != kernel->program->context ||
                mem->image))
        return REFUSE(CL_INVALID_MEM_OBJECT, "argument %u: %p is not a buffer of this context",
                      index, (void *)mem);
    if (mem && mem->flags & CL_MEM_IMMUTABLE_EXT && may_write(&kernel->info->args[index]))
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u: the buffer is immutable, but the parameter is not a pointer to const", index);
    TRY(check_pipe(&kernel->info->args[index], index, mem));
    kernel->args[index].pointer = KERNEL_POINTER_MEM;
    kernel->args[index].mem = mem;
    return CL_SUCCESS;
}

// OpenCL 3.1 platforms allow a size of 0, whatever the device's version.
static cl_int set_local(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (value)
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u is local memory: the value must be NULL",
                      index);
    kernel->args[index].size = size;
    return CL_SUCCESS;
}

// Whether the image can be passed: it must match the argument's bindings, and can be any image if
// the kernel does not use it. Depth images only match depth arguments.
static bool image_fits(const struct kc_kernel *info, cl_uint index, const struct _cl_mem *mem)
{
    static const cl_mem_object_type types[] = {
        [KC_DIM_1D] = CL_MEM_OBJECT_IMAGE1D,
        [KC_DIM_1D_ARRAY] = CL_MEM_OBJECT_IMAGE1D_ARRAY,
        [KC_DIM_2D] = CL_MEM_OBJECT_IMAGE2D,
        [KC_DIM_2D_ARRAY] = CL_MEM_OBJECT_IMAGE2D_ARRAY,
        [KC_DIM_3D] = CL_MEM_OBJECT_IMAGE3D,
        [KC_DIM_BUFFER] = CL_MEM_OBJECT_IMAGE1D_BUFFER,
    };
    cl_channel_order order = mem->image->format.cl.image_channel_order;
    bool depth = order == CL_DEPTH || order == CL_DEPTH_STENCIL;
    for (uint32_t i = 0; i < info->binding_count; i++) {
        const struct kc_binding *binding = &info->bindings[i];
        if (binding->kind < KC_BINDING_SAMPLERS && binding->arg == index &&
            (types[binding->dim] != mem->type || binding->depth != depth))
            return false;
    }
    return true;
}

cl_int kernel_check_image(const struct _cl_kernel *kernel, cl_uint index, cl_mem mem)
{
    const struct kc_arg *arg = &kernel->info->args[index];
    if (!object_is(mem, OBJECT_MEM) || mem->context != kernel->program->context || !mem->image)
        return REFUSE(CL_INVALID_MEM_OBJECT, "argument %u: %p is not an image of this context", index,
                      (void *)mem);
    if (!image_fits(kernel->info, index, mem))
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u is an %s", index, arg->type_name);
    if ((mem->flags & CL_MEM_WRITE_ONLY && arg->access != KC_ACCESS_WRITE_ONLY) ||
        (mem->flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT) && arg->access != KC_ACCESS_READ_ONLY))
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u: the image's flags do not allow it",
                      index);
    return CL_SUCCESS;
}

static cl_int set_image(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return REFUSE(CL_INVALID_ARG_SIZE, "argument %u is an image: the size must be that of cl_mem, not %zu", index, size);
    if (!value)
        return REFUSE(CL_INVALID_ARG_VALUE, "argument %u: the value is NULL", index);
    TRY(kernel_check_image(kernel, index, *(const cl_mem *)value));
    kernel->args[index].mem = *(const cl_mem *)value;
    return CL_SUCCESS;
}

static cl_int set_sampler(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_sampler))
        return REFUSE(CL_INVALID_ARG_SIZE, "argument %u is a sampler: the size must be that of cl_sampler, not %zu", index, size);
    cl_sampler sampler = value ? *(const cl_sampler *)value : NULL;
    if (!object_is(sampler, OBJECT_SAMPLER) || sampler->context != kernel->program->context)
        return REFUSE(CL_INVALID_SAMPLER, "argument %u: %p is not a sampler of this context", index,
                      (void *)sampler);
    kernel->args[index].sampler = sampler->value;
    return CL_SUCCESS;
}

static cl_int set_queue(struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value)
{
    if (size != sizeof(cl_command_queue))
        return REFUSE(CL_INVALID_ARG_SIZE, "argument %u is a queue: the size must be that of cl_command_queue, not %zu", index, size);
    cl_command_queue queue = value ? *(const cl_command_queue *)value : NULL;
    if (!object_is(queue, OBJECT_QUEUE) || queue->commands || queue->context != kernel->program->context)
        return REFUSE(CL_INVALID_DEVICE_QUEUE, "argument %u: %p is not a device queue of this context", index,
                      (void *)queue);
    memcpy(kernel->values + kernel->args[index].at, &queue->number, sizeof queue->number);
    return CL_SUCCESS;
}

typedef cl_int (*arg_setter)(struct _cl_kernel *, cl_uint, size_t, const void *);

static const arg_setter arg_setters[] = {
    [KC_ARG_VALUE] = set_value, [KC_ARG_GLOBAL] = set_memory, [KC_ARG_CONSTANT] = set_memory,
    [KC_ARG_LOCAL] = set_local, [KC_ARG_IMAGE] = set_image,   [KC_ARG_SAMPLER] = set_sampler,
    [KC_ARG_QUEUE] = set_queue,
};

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                  const void *arg_value)
{
    API_QUICK_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    if (arg_index >= kernel->info->arg_count)
        return REFUSE(CL_INVALID_ARG_INDEX, "invalid argument index %u, the kernel has %u arguments", arg_index,
                      kernel->info->arg_count);
    TRY(arg_setters[kernel->info->args[arg_index].kind](kernel, arg_index, arg_size, arg_value));
    kernel->args[arg_index].set = true;
    return CL_SUCCESS;
}

static cl_int set_address(struct _cl_kernel *kernel, cl_uint index, enum kernel_pointer pointer,
                          uint64_t address)
{
    const struct kc_arg *arg = &kernel->info->args[index];
    if ((arg->kind != KC_ARG_GLOBAL && arg->kind != KC_ARG_CONSTANT) || arg->type_qualifiers & KC_TYPE_PIPE)
        return REFUSE(CL_INVALID_ARG_INDEX, "argument %u is not a pointer to global or constant memory", index);
    kernel->args[index].pointer = pointer;
    kernel->args[index].address = address;
    kernel->args[index].mem = NULL;
    kernel->args[index].set = true;
    return CL_SUCCESS;
}

static cl_int check_index(const struct _cl_kernel *kernel, cl_uint index)
{
    return index < kernel->info->arg_count
               ? CL_SUCCESS
               : REFUSE(CL_INVALID_ARG_INDEX, "invalid argument index %u, the kernel has %u arguments", index, kernel->info->arg_count);
}

static cl_int check_svm(const struct _cl_kernel *kernel)
{
    const struct _cl_context *context = kernel->program->context;
    return svm_capabilities(context) || svm_type_offered_in(context)
               ? CL_SUCCESS
               : REFUSE(CL_INVALID_OPERATION, "no device of the context supports SVM");
}

// The enqueue checks whether the pointer is valid: arguments may be set before the memory is
// allocated.
cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void *arg_value)
{
    API_QUICK_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    TRY(check_svm(kernel));
    TRY(check_index(kernel, arg_index));
    return set_address(kernel, arg_index, KERNEL_POINTER_SVM, (uintptr_t)arg_value);
}

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address_ext arg_value)
{
    API_QUICK_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    if (!context_addressed(kernel->program->context, false))
        return REFUSE(CL_INVALID_OPERATION, "no device of the context supports buffer addresses");
    TRY(check_index(kernel, arg_index));
    return set_address(kernel, arg_index, KERNEL_POINTER_DEVICE, arg_value);
}

// Any pointer is accepted; the application is responsible for its validity.
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                 const void *arg_value)
{
    API_QUICK_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    if (!usm_offered(kernel->program->context))
        return REFUSE(CL_INVALID_OPERATION, "no device supports unified shared memory");
    TRY(check_index(kernel, arg_index));
    return set_address(kernel, arg_index, KERNEL_POINTER_USM, (uintptr_t)arg_value);
}

static cl_int set_pointers(struct _cl_kernel *kernel, enum kernel_pointer kind, size_t size,
                           const void *value)
{
    if (kind == KERNEL_POINTER_DEVICE && !context_addressed(kernel->program->context, false))
        return REFUSE(CL_INVALID_OPERATION, "no device of the context supports buffer addresses");
    if (kind == KERNEL_POINTER_SVM)
        TRY(check_svm(kernel));
    if (size % sizeof(uint64_t) || (size && !value)) // pointers to shared memory have this size,
                                                     // too
        return REFUSE(CL_INVALID_VALUE, "invalid list of pointers: %zu bytes at %p", size, value);
    return kernel_set_extras(kernel, kind, value, size / sizeof(uint64_t));
}

static cl_int set_system(struct _cl_kernel *kernel, size_t size, const void *value)
{
    if (size != sizeof(cl_bool) || !value)
        return REFUSE(CL_INVALID_VALUE, "%zu bytes at %p are not a cl_bool", size, value);
    bool on = *(const cl_bool *)value;
    if (on && !(svm_capabilities(kernel->program->context) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        return REFUSE(CL_INVALID_OPERATION, "no device of the context supports fine-grained system SVM");
    kernel->system = on;
    kernel->no_system = !on;
    return CL_SUCCESS;
}

struct indirect_row {
    cl_kernel_exec_info name;
    enum kernel_indirect bit;
    enum usm_query needs;
};

static const struct indirect_row indirect_rows[] = {
    {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, KERNEL_INDIRECT_HOST, USM_HOST},
    {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, KERNEL_INDIRECT_DEVICE, USM_DEVICE},
    {CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, KERNEL_INDIRECT_SHARED, USM_SHARED},
    {CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, KERNEL_INDIRECT_SVM, USM_DEVICE},
    {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, KERNEL_INDIRECT_LISTED, USM_DEVICE},
};

static const struct indirect_row *find_indirect(cl_kernel_exec_info name)
{
    for (size_t i = 0; i < INFO_COUNT(indirect_rows); i++) {
        if (indirect_rows[i].name == name)
            return &indirect_rows[i];
    }
    return NULL;
}

static cl_int set_indirect(struct _cl_kernel *kernel, const struct indirect_row *row, size_t size,
                           const void *value)
{
    bool list = row->bit == KERNEL_INDIRECT_LISTED;
    if (!usm_any(kernel->program->context, row->needs))
        return REFUSE(CL_INVALID_OPERATION, "no device supports this kind of unified shared memory");
    if (list ? size % sizeof(void *) || (size && !value) : size != sizeof(cl_bool) || !value)
        return REFUSE(CL_INVALID_VALUE, "invalid value: %zu bytes at %p", size, value);
    if (list ? size != 0 : *(const cl_bool *)value)
        kernel->indirect |= row->bit;
    else
        kernel->indirect &= ~(unsigned)row->bit;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t param_value_size, const void *param_value)
{
    API_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    if (param_name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT)
        return set_pointers(kernel, KERNEL_POINTER_DEVICE, param_value_size, param_value);
    const struct indirect_row *indirect = find_indirect(param_name);
    if (indirect)
        return set_indirect(kernel, indirect, param_value_size, param_value);
    if (param_name == CL_KERNEL_EXEC_INFO_SVM_PTRS)
        return set_pointers(kernel, KERNEL_POINTER_SVM, param_value_size, param_value);
    if (param_name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM)
        return set_system(kernel, param_value_size, param_value);
    return REFUSE(CL_INVALID_VALUE, "unknown execution information 0x%x", param_name);
}

// ---- queries ------------------------------------------------------------------------------------

static const struct kc_kernel *info_of(const void *object)
{
    return ((const struct _cl_kernel *)object)->info;
}

static cl_int get_name(const void *object, struct info *info)
{
    info_string(info, info_of(object)->name);
    return CL_SUCCESS;
}

static cl_int get_attributes(const void *object, struct info *info)
{
    info_string(info, info_of(object)->attributes);
    return CL_SUCCESS;
}

static cl_int get_arg_count(const void *object, struct info *info)
{
    info_uint(info, info_of(object)->arg_count);
    return CL_SUCCESS;
}

static cl_int get_context(const void *object, struct info *info)
{
    info_handle(info, ((const struct _cl_kernel *)object)->program->context);
    return CL_SUCCESS;
}

static const struct info_row kernel_info[] = {
    INFO_CALL(CL_KERNEL_FUNCTION_NAME, get_name),
    INFO_CALL(CL_KERNEL_NUM_ARGS, get_arg_count),
    INFO_CALL(CL_KERNEL_REFERENCE_COUNT, api_get_references),
    INFO_CALL(CL_KERNEL_CONTEXT, get_context),
    INFO_FIELD(CL_KERNEL_PROGRAM, struct _cl_kernel, program),
    INFO_CALL(CL_KERNEL_ATTRIBUTES, get_attributes),
};

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    return info_get(kernel_info, INFO_COUNT(kernel_info), kernel, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

// ---- queries of arguments -----------------------------------------------------------------------

static cl_int get_address(const void *object, struct info *info)
{
    static const cl_kernel_arg_address_qualifier names[] = {
        [KC_ADDRESS_GLOBAL] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
        [KC_ADDRESS_LOCAL] = CL_KERNEL_ARG_ADDRESS_LOCAL,
        [KC_ADDRESS_CONSTANT] = CL_KERNEL_ARG_ADDRESS_CONSTANT,
        [KC_ADDRESS_PRIVATE] = CL_KERNEL_ARG_ADDRESS_PRIVATE,
    };
    info_uint(info, names[((const struct kc_arg *)object)->address]);
    return CL_SUCCESS;
}

static cl_int get_access(const void *object, struct info *info)
{
    static const cl_kernel_arg_access_qualifier names[] = {
        [KC_ACCESS_NONE] = CL_KERNEL_ARG_ACCESS_NONE,
        [KC_ACCESS_READ_ONLY] = CL_KERNEL_ARG_ACCESS_READ_ONLY,
        [KC_ACCESS_WRITE_ONLY] = CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        [KC_ACCESS_READ_WRITE] = CL_KERNEL_ARG_ACCESS_READ_WRITE,
    };
    info_uint(info, names[((const struct kc_arg *)object)->access]);
    return CL_SUCCESS;
}

_Static_assert(KC_TYPE_CONST == CL_KERNEL_ARG_TYPE_CONST &&
                   KC_TYPE_RESTRICT == CL_KERNEL_ARG_TYPE_RESTRICT &&
                   KC_TYPE_VOLATILE == CL_KERNEL_ARG_TYPE_VOLATILE &&
                   KC_TYPE_PIPE == CL_KERNEL_ARG_TYPE_PIPE,
               "the compiler's qualifier bits are OpenCL's");

static cl_int get_qualifiers(const void *object, struct info *info)
{
    info_ulong(info, ((const struct kc_arg *)object)->type_qualifiers);
    return CL_SUCCESS;
}

// A SPIR-V module need not contain names.
static cl_int put_word(struct info *info, const char *word)
{
    if (!word || !*word)
        return REFUSE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the program has no argument information");
    info_string(info, word);
    return CL_SUCCESS;
}

static cl_int get_type_name(const void *object, struct info *info)
{
    return put_word(info, ((const struct kc_arg *)object)->type_name);
}

static cl_int get_arg_name(const void *object, struct info *info)
{
    return put_word(info, ((const struct kc_arg *)object)->name);
}

static const struct info_row arg_info[] = {
    INFO_CALL(CL_KERNEL_ARG_ADDRESS_QUALIFIER, get_address),
    INFO_CALL(CL_KERNEL_ARG_ACCESS_QUALIFIER, get_access),
    INFO_CALL(CL_KERNEL_ARG_TYPE_NAME, get_type_name),
    INFO_CALL(CL_KERNEL_ARG_TYPE_QUALIFIER, get_qualifiers),
    INFO_CALL(CL_KERNEL_ARG_NAME, get_arg_name),
};

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx,
                                      cl_kernel_arg_info param_name, size_t param_value_size,
                                      void *param_value, size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(kernel, OBJECT_KERNEL));
    if (arg_indx >= kernel->info->arg_count)
        return REFUSE(CL_INVALID_ARG_INDEX, "invalid argument index %u, the kernel has %u arguments", arg_indx, kernel->info->arg_count);
    return info_get(arg_info, INFO_COUNT(arg_info), &kernel->info->args[arg_indx], param_name,
                    param_value_size, param_value, param_value_size_ret);
}

// ---- work-groups --------------------------------------------------------------------------------

struct on_device {
    const struct _cl_kernel *kernel;
    const struct kernel_device *device;
};

static cl_int get_group_size(const void *object, struct info *info)
{
    info_size(info,
              cmd_kernel_reported_group(((const struct on_device *)object)->device->commands));
    return CL_SUCCESS;
}

static cl_int get_multiple(const void *object, struct info *info)
{
    info_size(info,
              cmd_kernel_preferred_multiple(((const struct on_device *)object)->device->commands));
    return CL_SUCCESS;
}

static cl_int get_required_size(const void *object, struct info *info)
{
    const struct on_device *on = object;
    for (int i = 0; i < 3; i++)
        info_size(info, on->device->info->reqd_local_size[i]);
    return CL_SUCCESS;
}

static cl_int get_local_memory(const void *object, struct info *info)
{
    const struct on_device *on = object;
    cl_ulong total = on->device->info->local_memory;
    for (uint32_t i = 0; i < on->kernel->info->arg_count; i++) {
        if (on->kernel->info->args[i].kind == KC_ARG_LOCAL)
            total += on->kernel->args[i].size;
    }
    info_ulong(info, total);
    return CL_SUCCESS;
}

static cl_int get_private_memory(const void *object, struct info *info)
{
    info_ulong(info, ((const struct on_device *)object)->device->info->private_memory);
    return CL_SUCCESS;
}

static cl_int get_global_size(const void *object, struct info *info)
{
    (void)object, (void)info;
    return REFUSE(CL_INVALID_VALUE, "valid only for custom devices and built-in kernels");
}

static cl_int get_spill_memory(const void *object, struct info *info)
{
    (void)object; // Vulkan does not report it
    info_ulong(info, 0);
    return CL_SUCCESS;
}

static const struct info_row group_info[] = {
    INFO_CALL(CL_KERNEL_WORK_GROUP_SIZE, get_group_size),
    INFO_CALL(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, get_required_size),
    INFO_CALL(CL_KERNEL_LOCAL_MEM_SIZE, get_local_memory),
    INFO_CALL(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, get_multiple),
    INFO_CALL(CL_KERNEL_PRIVATE_MEM_SIZE, get_private_memory),
    INFO_CALL(CL_KERNEL_GLOBAL_WORK_SIZE, get_global_size),
    INFO_CALL(CL_KERNEL_SPILL_MEM_SIZE_INTEL, get_spill_memory),
};

// NULL: the only device that the kernel has code for.
static cl_int find_device(const struct _cl_kernel *kernel, cl_device_id device,
                          const struct kernel_device **out)
{
    const struct _cl_context *context = kernel->program->context;
    cl_uint built = 0;
    if (device)
        TRY(api_check(device, OBJECT_DEVICE));
    for (cl_uint i = 0; i < context->device_count; i++) {
        if (!kernel->devices[i].info || (device && context->devices[i].device != device))
            continue;
        *out = &kernel->devices[i];
        built++;
    }
    return built == 1 ? CL_SUCCESS
                      : REFUSE(CL_INVALID_DEVICE, "the device must be specified: %u of the kernel's devices match", built);
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret)
{
    API_CALL;
    struct on_device on = {.kernel = kernel};
    TRY(api_check(kernel, OBJECT_KERNEL));
    TRY(find_device(kernel, device, &on.device));
    return info_get(group_info, INFO_COUNT(group_info), &on, param_name, param_value_size,
                    param_value, param_value_size_ret);
}

// ---- sub-groups ---------------------------------------------------------------------------------

struct sub_group_query {
    const struct kernel_device *device;
    const size_t *input; // a local size, or the requested number of sub-groups
    cl_uint dims;        // number of sizes in it, or to be returned
};

static size_t sub_group_size(const struct sub_group_query *query)
{
    return cmd_kernel_preferred_multiple(query->device->commands);
}

static size_t sub_groups_of(const struct sub_group_query *query, size_t items)
{
    return (items + sub_group_size(query) - 1) / sub_group_size(query);
}

static cl_int get_sub_group_size(const void *object, struct info *info)
{
    info_size(info, sub_group_size(object));
    return CL_SUCCESS;
}

static cl_int get_sub_group_count(const void *object, struct info *info)
{
    const struct sub_group_query *query = object;
    size_t items = 1;
    for (cl_uint i = 0; i < query->dims; i++)
        items *= query->input[i];
    info_size(info, sub_groups_of(query, items));
    return CL_SUCCESS;
}

// Zeros if no size has that many sub-groups; if a size is required, it is the only candidate.
static cl_int get_size_for_count(const void *object, struct info *info)
{
    const struct sub_group_query *query = object;
    const uint32_t *reqd = query->device->info->reqd_local_size;
    size_t count = query->input[0], most = cmd_kernel_max_group(query->device->commands), row = 0;
    size_t sizes[3] = {0, 0, 0};
    if (reqd[0]) {
        for (cl_uint i = 0; i < 3 && sub_groups_of(query, most) == count; i++)
            sizes[i] = reqd[i];
    } else if (count && count <= most / sub_group_size(query)) {
        row = count * sub_group_size(query);
        for (cl_uint i = 0; i < 3; i++)
            sizes[i] = i ? 1 : row;
    }
    for (cl_uint i = 0; i < query->dims; i++)
        info_size(info, sizes[i]);
    return CL_SUCCESS;
}

static cl_int get_max_sub_groups(const void *object, struct info *info)
{
    const struct sub_group_query *query = object;
    info_size(info, sub_groups_of(query, cmd_kernel_reported_group(query->device->commands)));
    return CL_SUCCESS;
}

static cl_int get_required_sub_groups(const void *object, struct info *info)
{
    info_size(info, ((const struct sub_group_query *)object)->device->info->reqd_sub_groups);
    return CL_SUCCESS;
}

static cl_int get_required_sub_group_size(const void *object, struct info *info)
{
    info_size(info, ((const struct sub_group_query *)object)->device->info->reqd_sub_group_size);
    return CL_SUCCESS;
}

static const struct info_row sub_group_info[] = {
    INFO_CALL(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, get_sub_group_size),
    INFO_CALL(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, get_sub_group_count),
    INFO_CALL(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, get_size_for_count),
    INFO_CALL(CL_KERNEL_MAX_NUM_SUB_GROUPS, get_max_sub_groups),
    INFO_CALL(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, get_required_sub_groups),
    INFO_CALL(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, get_required_sub_group_size),
};

// The number of sizes in the query's input or result; 0: invalid.
static cl_uint count_sizes(cl_kernel_sub_group_info name, size_t input, size_t output)
{
    bool by_count = name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
    size_t bytes = by_count ? output : input;
    if ((by_count && input != sizeof(size_t)) || bytes % sizeof(size_t) ||
        bytes > 3 * sizeof(size_t))
        return 0;
    return (cl_uint)(bytes / sizeof(size_t));
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void *input_value,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret)
{
    API_CALL;
    struct sub_group_query query = {.input = input_value};
    bool takes_input = param_name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ||
                       param_name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE ||
                       param_name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
    TRY(api_check(kernel, OBJECT_KERNEL));
    TRY(find_device(kernel, device, &query.device));
    size_t index = (size_t)(query.device - kernel->devices);
    if (!kernel->program->context->devices[index].device->caps.sub_groups)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support sub-groups");
    if (takes_input) {
        query.dims = count_sizes(param_name, input_value_size, param_value_size);
        if (!input_value || !query.dims)
            return REFUSE(CL_INVALID_VALUE, "invalid sizes of %zu and %zu bytes", input_value_size,
                          param_value_size);
    }
    return info_get(sub_group_info, INFO_COUNT(sub_group_info), &query, param_name,
                    param_value_size, param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void *input_value,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret)
{
    API_CALL;
    return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value,
                                   param_value_size, param_value, param_value_size_ret);
}
