// SPDX-License-Identifier: Apache-2.0
// Kernel launches: all checks of a range, and conversion of the set arguments to those of the
// command layer.
#include "api/memory.h"
#include "api/record.h"

#include <stdlib.h>
#include <string.h>

#include "object/svm.h"
#include "object/svm_type.h"
#include "object/usm.h"

// ---- the range ----------------------------------------------------------------------------------

static cl_int check_global(const struct _cl_device_id *device, const struct launch_call *call,
                           struct cmd_ndrange *range)
{
    cl_uint dims = call->dims;
    // maximum of the device's size_t
    uint64_t most = device->caps.address_bits == 32 ? UINT32_MAX : UINT64_MAX;
    if (dims < 1 || dims > 3)
        return REFUSE(CL_INVALID_WORK_DIMENSION, "%u dimensions", dims);
    range->dims = dims;
    for (cl_uint i = 0; i < 3; i++) {
        bool used = i < dims;
        range->global[i] = used ? (call->global ? call->global[i] : 0) : 1; // NULL: nothing to do
        range->offset[i] = used && call->offset ? call->offset[i] : 0;
        if (range->global[i] > most)
            return REFUSE(CL_INVALID_GLOBAL_WORK_SIZE, "invalid global size %zu in dimension %u", range->global[i], i);
        if (range->offset[i] > most - range->global[i])
            return REFUSE(CL_INVALID_GLOBAL_OFFSET, "global offset %zu and size %zu overflow",
                          range->offset[i], range->global[i]);
    }
    return CL_SUCCESS;
}

static cl_int check_required(const struct kc_kernel *info, cl_uint dims, const size_t *local)
{
    for (cl_uint i = 0; i < 3 && info->reqd_local_size[0]; i++) {
        size_t given = i < dims ? local[i] : 1;
        if (given != info->reqd_local_size[i])
            return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "'%s' requires a work-group size of %ux%ux%u", info->name,
                          info->reqd_local_size[0], info->reqd_local_size[1],
                          info->reqd_local_size[2]);
    }
    return CL_SUCCESS;
}

static cl_int check_sub_groups(const struct kernel_device *kernel, size_t items)
{
    size_t size = cmd_kernel_preferred_multiple(kernel->commands), wanted = kernel->info->reqd_sub_groups;
    if (wanted && (items + size - 1) / size != wanted)
        return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "'%s' requires work-groups of %zu sub-groups", kernel->info->name, wanted);
    return CL_SUCCESS;
}

static cl_int check_local(const struct _cl_device_id *device, const struct kernel_device *kernel,
                          const size_t *local, struct cmd_ndrange *range)
{
    const struct device_caps *caps = &device->caps;
    size_t total = 1;
    if (!local)
        return CL_SUCCESS;
    TRY(check_required(kernel->info, range->dims, local));
    for (cl_uint i = 0; i < range->dims; i++) {
        if (!local[i])
            return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "the local size is 0");
        if (local[i] > caps->work_item_sizes[i])
            return REFUSE(CL_INVALID_WORK_ITEM_SIZE, "local size %zu in dimension %u exceeds the limit of %zu",
                          local[i], i, caps->work_item_sizes[i]);
        if (__builtin_mul_overflow(total, local[i], &total))
            return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "the work-group size overflows");
    }
    size_t most = cmd_kernel_max_group(kernel->commands);
    if (total > most)
        return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "a work-group of %zu work-items exceeds the limit of %zu", total,
                      most);
    TRY(check_sub_groups(kernel, total));
    for (cl_uint i = 0; i < 3; i++)
        range->local[i] = i < range->dims ? local[i] : 1;
    return CL_SUCCESS;
}

// If all work-groups must have the same size, the range must be a multiple of it.
static cl_int check_uniform(const struct kernel_device *kernel, const struct cmd_ndrange *range)
{
    const uint32_t *required = kernel->info->reqd_local_size;
    for (cl_uint i = 0; i < range->dims && kernel->code->uniform; i++) {
        size_t local = required[0] ? required[i] : range->local[i];
        if (local && range->global[i] % local)
            return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "global size %zu is not a multiple of local size %zu",
                          range->global[i], local);
    }
    return CL_SUCCESS;
}

static const struct kc_target *target_of(const struct _cl_command_queue *queue)
{
    return queue->context->devices[queue->device_index].target;
}

// Kernels with cooperative matrices need all work-items of each sub-group. With matrix units, every
// row of a work-group must be a multiple of a sub-group; for other launches *kernel becomes the
// version without matrix units.
static cl_int choose_form(const struct kc_target *target, struct kernel_device *kernel, const struct cmd_ndrange *range)
{
    size_t size = cmd_kernel_preferred_multiple(kernel->commands), local[3], items = 1;
    bool nothing = !range->global[0] || !range->global[1] || !range->global[2];
    if (!kernel->info->whole_sub_groups || nothing)
        return CL_SUCCESS;
    memcpy(local, range->local, sizeof local);
    if (!local[0])
        cmd_kernel_pick_local(kernel->commands, range->dims, range->global, local);
    for (cl_uint i = 0; i < range->dims; i++) {
        items *= local[i];
        if (range->global[i] % local[i])
            return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "'%s' has cooperative matrices: %zu work-items are not a multiple of the "
                                                      "local size %zu",
                          kernel->info->name, range->global[i], local[i]);
    }
    if (items % size)
        return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "'%s' has cooperative matrices: %zu work-items are not a multiple of the "
                                                  "sub-group size %zu",
                      kernel->info->name, items, size);
    if (!kernel->info->matrix_units || local[0] % size == 0)
        return CL_SUCCESS;
    TRY(program_code_general(kernel->code, target, &kernel->info, &kernel->commands));
    if (kernel->info->matrix_units)
        return REFUSE(CL_INVALID_WORK_GROUP_SIZE, "'%s' uses matrix units: local size %zu in dimension 0 is not a multiple of "
                                                  "the sub-group size %zu",
                      kernel->info->name, local[0], size);
    return CL_SUCCESS;
}

// ---- arguments ----------------------------------------------------------------------------------

static cl_int check_memory_arg(const struct api_enqueue *enqueue, uint32_t index, cl_mem mem)
{
    size_t align = enqueue->queue->device->caps.base_align_bits / 8;
    if (!object_is(mem, OBJECT_MEM))
        return REFUSE(CL_INVALID_MEM_OBJECT, "argument %u was released", index);
    if (mem->parent && mem->origin % align)
        return REFUSE(CL_MISALIGNED_SUB_BUFFER_OFFSET, "invalid argument %u", index);
    return CL_SUCCESS;
}

static cl_int fill_memory_arg(struct api_enqueue *enqueue, cl_mem mem, uint32_t index,
                              struct cmd_arg *out, struct cmd_ndrange *range)
{
    if (!mem)
        return CL_SUCCESS;
    TRY(check_memory_arg(enqueue, index, mem));
    TRY(api_enqueue_buffer(enqueue, mem, &out->buffer, &out->offset));
    out->size = mem->size;
    range->any_host |= (mem->svm || (mem->parent && mem->parent->svm)) && out->buffer->host;
    return CL_SUCCESS;
}

// The object that contains an address of either kind, with a reference; NULL: none.
static struct _cl_mem *find_memory(const struct api_enqueue *enqueue, enum kernel_pointer kind,
                                   uint64_t address, size_t *offset)
{
    struct _cl_context *context = enqueue->queue->context;
    struct _cl_mem *mem = NULL;
    if (kind == KERNEL_POINTER_DEVICE)
        mem = address_map_find(&context->devices[enqueue->queue->device_index].addresses, address,
                               offset);
    return mem ? mem : svm_find(context, (void *)(uintptr_t)address, offset);
}

// Drops the reference to `mem`.
static cl_int fill_found(struct api_enqueue *enqueue, enum kernel_pointer kind, struct _cl_mem *mem,
                         size_t offset, struct cmd_arg *out, struct cmd_ndrange *range)
{
    cl_int error;
    uint64_t base;
    if (mem->usm) { // a pointer of another device is passed unchanged
        out->buffer = usm_buffer(mem, enqueue->queue->device_index);
        out->offset = out->buffer ? offset : (uintptr_t)mem->host_ptr + offset;
        error = api_enqueue_hold(enqueue, mem);
    } else {
        error = api_enqueue_buffer(enqueue, mem, &out->buffer, &base);
        out->offset = offset;
        range->any_host |= kind != KERNEL_POINTER_DEVICE && out->buffer->host;
    }
    object_drop(mem);
    return error;
}

// The kinds of sharing between device and host that are relevant for a pointer.
static cl_device_svm_capabilities shared_for(const struct api_enqueue *enqueue,
                                             enum kernel_pointer kind)
{
    if (kind == KERNEL_POINTER_SVM)
        return device_svm(enqueue->queue->device);
    if (kind == KERNEL_POINTER_USM)
        return device_svm_known(enqueue->queue->device) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    return 0;
}

// An address is passed unchanged if the device can access all host memory, or if the application is
// responsible for its validity.
static cl_int fill_address(struct api_enqueue *enqueue, enum kernel_pointer kind, uint64_t address,
                           struct cmd_arg *out, struct cmd_ndrange *range)
{
    size_t offset;
    cl_device_svm_capabilities svm = shared_for(enqueue, kind);
    bool any = svm_type_offered(enqueue->queue->device); // then any value is a valid pointer
    if (kind == KERNEL_POINTER_SVM && !svm && !any)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support SVM");
    if (address && !enqueue->queue->device->caps.target.physical_addressing)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support buffer addresses");
    struct _cl_mem *mem = address ? find_memory(enqueue, kind, address, &offset) : NULL;
    if (mem)
        return fill_found(enqueue, kind, mem, offset, out, range);
    if (kind == KERNEL_POINTER_SVM && address && !any && !(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        return REFUSE(CL_INVALID_KERNEL_ARGS, "%p is not shared memory of this context",
                      (void *)(uintptr_t)address);
    out->offset = address;
    range->any_host |= svm && address;
    return CL_SUCCESS;
}

// Adds the memory that the kernel accesses without arguments, as declared by clSetKernelExecInfo.
static cl_int add_extras(struct api_enqueue *enqueue, const struct _cl_kernel *kernel,
                         struct cmd_ndrange *range)
{
    bool all = device_svm_known(enqueue->queue->device) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    for (int kind = KERNEL_POINTER_SVM; kind <= KERNEL_POINTER_DEVICE; kind++)
        for (size_t i = 0; i < kernel->extras[kind].count; i++) {
            struct cmd_arg unused = {0};
            TRY(fill_address(enqueue, (enum kernel_pointer)kind, kernel->extras[kind].addresses[i],
                             &unused, range));
            range->any_memory = true;
        }
    if (kernel->system && !all)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support fine-grained system SVM");
    range->any_host |= kernel->system;
    range->any_memory |= kernel->indirect != 0;
    range->any_host |= (kernel->indirect & KERNEL_INDIRECT_SVM) != 0;
    // If all memory is shared, shared memory may contain pointers to anything.
    range->any_memory |= kernel->system || (range->any_host && all && !kernel->no_system);
    return CL_SUCCESS;
}

static cl_int fill_arg(struct api_enqueue *enqueue, const struct _cl_kernel *kernel, uint32_t index,
                       struct cmd_arg *out, struct cmd_ndrange *range)
{
    const struct kernel_arg *arg = &kernel->args[index];
    if (!arg->set)
        return REFUSE(CL_INVALID_KERNEL_ARGS, "argument %u ('%s') of '%s' is not set", index,
                      kernel->info->args[index].name, kernel->info->name);
    switch (kernel->info->args[index].kind) {
    case KC_ARG_VALUE:
    case KC_ARG_QUEUE:
        out->value = kernel->values + arg->at;
        return CL_SUCCESS;
    case KC_ARG_LOCAL:
        // this also prevents an overflow of their sum
        if (arg->size > enqueue->queue->device->caps.local_memory)
            return REFUSE(CL_OUT_OF_RESOURCES, "argument %u: %zu bytes of local memory exceed the device's limit", index,
                          arg->size);
        out->size = arg->size;
        return CL_SUCCESS;
    case KC_ARG_GLOBAL:
    case KC_ARG_CONSTANT:
        if (arg->pointer == KERNEL_POINTER_MEM)
            return fill_memory_arg(enqueue, arg->mem, index, out, range);
        return fill_address(enqueue, arg->pointer, arg->address, out, range);
    case KC_ARG_IMAGE:
        TRY(kernel_check_image(kernel, index, arg->mem)); // it may have been released meanwhile
        enqueue->only_reads = kernel->info->args[index].access == KC_ACCESS_READ_ONLY;
        return api_enqueue_surface(enqueue, arg->mem, &out->surface);
    case KC_ARG_SAMPLER:
        out->sampler = arg->sampler;
        return CL_SUCCESS;
    }
    return CL_INVALID_KERNEL_ARGS;
}

static cl_int fill_args(struct api_enqueue *enqueue, const struct _cl_kernel *kernel,
                        struct cmd_arg *args, struct cmd_ndrange *range)
{
    for (uint32_t i = 0; i < kernel->info->arg_count; i++)
        TRY(fill_arg(enqueue, kernel, i, &args[i], range));
    return add_extras(enqueue, kernel, range);
}

static uint64_t address_of(const struct cmd_arg *arg) { return (arg->buffer ? arg->buffer->address : 0) + arg->offset; }

static bool is_aligned(const struct cmd_arg *arg) { return address_of(arg) % KC_BOUNDED_ALIGN == 0; }

static bool is_within_bounds(const struct vk_device *device, const struct kc_target *target, const struct kernel_arg *given,
                             const struct cmd_arg *arg)
{
    if (!arg->buffer)
        return !arg->offset;
    VkDeviceSize align = vk_binding_align(device->facts), at = arg->buffer->offset + arg->offset;
    // a kernel may move the pointer back, before its start
    bool in_front = given->pointer != KERNEL_POINTER_MEM && arg->offset;
    if (target->positive_offsets && (uint32_t)address_of(arg) < KC_BOUNDED_FRONT)
        return false;
    return !in_front && at % align == 0 && is_aligned(arg) &&
           arg->buffer->size - arg->offset <= target->storage_buffer_range;
}

// The memory that a kernel may access through an argument.
struct extent {
    uint64_t begin, end; // addresses
    bool external;       // memory of another API, which may be imported twice, at two addresses
};

static struct extent extent_of(const struct kernel_arg *given, const struct cmd_arg *arg)
{
    const struct vk_buffer *buffer = arg->buffer;
    if (!buffer) // an address whose object is not known, or NULL
        return (struct extent){.end = arg->offset ? UINT64_MAX : 0};
    if (given->pointer != KERNEL_POINTER_MEM) // the kernel may move the pointer back
        return (struct extent){buffer->address, buffer->address + buffer->size, false};
    uint64_t begin = buffer->address + arg->offset;
    return (struct extent){begin, begin + arg->size, given->mem->storage->external != 0};
}

static bool may_overlap(const struct extent *x, const struct extent *y)
{
    return (x->external && y->external) || (x->begin < y->end && y->begin < x->end);
}

static bool is_disjoint(const struct _cl_kernel *kernel, const struct cmd_arg *args, uint32_t index, uint64_t others)
{
    struct extent own = extent_of(&kernel->args[index], &args[index]);
    for (; others; others &= others - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(others);
        struct extent other = extent_of(&kernel->args[i], &args[i]);
        if (may_overlap(&own, &other))
            return false;
    }
    return true;
}

// If an argument does not meet the requirements of the kernel's specialized version, *form becomes
// the general version.
static cl_int fit_arguments(const struct kc_target *target, const struct _cl_kernel *kernel, struct kernel_device *form,
                            const struct cmd_arg *args)
{
    bool within = true;
    for (uint32_t i = 0; i < form->info->arg_count; i++) {
        within &= !form->info->args[i].aligned || is_aligned(&args[i]);
        within &= !form->info->args[i].disjoint || is_disjoint(kernel, args, i, form->info->args[i].disjoint);
        within &= !form->info->args[i].bounded || is_within_bounds(form->code->vk, target, &kernel->args[i], &args[i]);
    }
    if (within)
        return CL_SUCCESS;
    TRY(program_code_general(form->code, target, &form->info, &form->commands));
    if (kc_limits_arguments(form->info))
        return REFUSE(CL_OUT_OF_RESOURCES, "'%s' does not support arguments at these offsets", form->info->name);
    return CL_SUCCESS;
}

// If the work-items' own local memory is too much for a group, *form becomes the general version.
static cl_int fit_group(const struct kc_target *target, struct kernel_device *form, const struct cmd_ndrange *range)
{
    const uint32_t local[3] = {(uint32_t)range->local[0], (uint32_t)range->local[1], (uint32_t)range->local[2]};
    if (!form->info->local_per_item || !local[0] || cmd_group_fits(form->commands, local))
        return CL_SUCCESS;
    TRY(program_code_general(form->code, target, &form->info, &form->commands));
    if (form->info->local_per_item)
        return REFUSE(CL_OUT_OF_RESOURCES, "'%s' does not support work-groups of this size", form->info->name);
    return CL_SUCCESS;
}

// ---- launches -----------------------------------------------------------------------------------

static void use_code(void *code)
{
    program_code_use(code);
}

static void drop_code(void *code)
{
    program_code_drop(code);
}

static cl_int code_kernel(void *code, uint32_t index, struct cmd_kernel **kernel)
{
    return program_code_kernel(code, index, kernel);
}

// What a kernel that enqueues kernels can use on its device.
static cl_int fill_enqueuer(const struct api_enqueue *enqueue, const struct kernel_device *on,
                            struct cmd_enqueuer *enqueuer)
{
    const struct _cl_command_queue *queue = enqueue->queue;
    struct queue_on_device queues = queue_on_device(queue->context, queue->device_index);
    if (enqueue->recorded)
        return REFUSE(CL_INVALID_OPERATION, "'%s' enqueues kernels, which is not supported in command buffers", on->info->name);
    *enqueuer = (struct cmd_enqueuer){on->code,      use_code,    drop_code,   code_kernel,
                                      queues.number, queues.size, queues.timed};
    if (!enqueuer->bytes)
        enqueuer->bytes = queue->device->caps.device_queue_size;
    return CL_SUCCESS;
}

static cl_int launch_checked(struct api_enqueue *enqueue, const struct launch_call *call,
                             const struct kernel_device *on, struct cmd_arg *args)
{
    struct kernel_device form = *on;
    struct cmd_ndrange range = {.args = args};
    struct cmd_enqueuer enqueuer;
    TRY(check_global(enqueue->queue->device, call, &range));
    TRY(check_local(enqueue->queue->device, on, call->local, &range));
    TRY(check_uniform(on, &range));
    TRY(choose_form(target_of(enqueue->queue), &form, &range));
    TRY(fill_args(enqueue, call->kernel, args, &range));
    TRY(fit_arguments(target_of(enqueue->queue), call->kernel, &form, args));
    TRY(fit_group(target_of(enqueue->queue), &form, &range));
    range.kernel = form.commands;
    TRY(api_enqueue_hold(enqueue, call->kernel));
    range.data = &on->code->segment;
    range.program = on->code->program;
    range.any_memory |= on->code->program->data_writable;
    if (on->info->enqueues) {
        TRY(fill_enqueuer(enqueue, on, &enqueuer));
        range.enqueuer = &enqueuer;
    }
    return cmd_ndrange(&enqueue->request, &range);
}

cl_int launch_kernel(struct api_enqueue *enqueue, const struct launch_call *call)
{
    enum { FEW = 32 };
    struct cmd_arg few[FEW], *args = few;
    TRY(api_check(call->kernel, OBJECT_KERNEL));
    if (call->kernel->program->context != enqueue->queue->context)
        return REFUSE(CL_INVALID_CONTEXT, "the kernel and the queue have different contexts");
    const struct kernel_device *on = &call->kernel->devices[enqueue->queue->device_index];
    if (!on->info)
        return REFUSE(CL_INVALID_PROGRAM_EXECUTABLE, "'%s' is not built for the queue's device",
                      call->kernel->info->name);
    uint32_t count = call->kernel->info->arg_count;
    if (count > FEW && !(args = malloc(count * sizeof *args)))
        return CL_OUT_OF_HOST_MEMORY;
    memset(args, 0, count * sizeof *args);
    cl_int error = launch_checked(enqueue, call, on, args);
    if (args != few)
        free(args);
    return error;
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                          cl_uint work_dim, const size_t *global_work_offset,
                                          const size_t *global_work_size,
                                          const size_t *local_work_size,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    struct launch_call call = {kernel, work_dim, global_work_offset, global_work_size,
                               local_work_size};
    cl_int error = launch_kernel(&enqueue, &call);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_NDRANGE_KERNEL, event);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                 cl_event *event)
{
    API_CALL;
    static const size_t one = 1;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    struct launch_call call = {kernel, 1, NULL, &one, &one};
    cl_int error = launch_kernel(&enqueue, &call);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_TASK, event);
}

// ---- the local size of a launch without one -----------------------------------------------------

static cl_int suggest(const struct _cl_command_queue *queue, const struct launch_call *call,
                      size_t *suggested)
{
    struct cmd_ndrange range = {0};
    size_t local[3];
    TRY(api_check(call->kernel, OBJECT_KERNEL));
    if (call->kernel->program->context != queue->context)
        return REFUSE(CL_INVALID_CONTEXT, "the kernel and the queue have different contexts");
    const struct kernel_device *on = &call->kernel->devices[queue->device_index];
    if (!on->info)
        return REFUSE(CL_INVALID_PROGRAM_EXECUTABLE, "'%s' is not built for the queue's device",
                      call->kernel->info->name);
    for (uint32_t i = 0; i < call->kernel->info->arg_count; i++) {
        if (!call->kernel->args[i].set)
            return REFUSE(CL_INVALID_KERNEL_ARGS, "argument %u is not set", i);
    }
    TRY(check_global(queue->device, call, &range));
    for (cl_uint i = 0; i < call->dims; i++) {
        if (!range.global[i])
            return REFUSE(CL_INVALID_GLOBAL_WORK_SIZE, "the global size is 0 in dimension %u", i);
    }
    if (!suggested)
        return REFUSE(CL_INVALID_VALUE, "the pointer for the size is NULL");
    TRY(check_uniform(on, &range));
    struct kernel_device form = *on;
    TRY(choose_form(target_of(queue), &form, &range));
    cmd_kernel_pick_local(form.commands, call->dims, range.global, local);
    memcpy(suggested, local, call->dims * sizeof *suggested);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                     cl_kernel kernel, cl_uint work_dim,
                                                     const size_t *global_work_offset,
                                                     const size_t *global_work_size,
                                                     size_t *suggested_local_work_size)
{
    API_CALL;
    TRY(api_check_queue(command_queue));
    struct launch_call call = {kernel, work_dim, global_work_offset, global_work_size, NULL};
    return suggest(command_queue, &call, suggested_local_work_size);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                        cl_kernel kernel, cl_uint work_dim,
                                                        const size_t *global_work_offset,
                                                        const size_t *global_work_size,
                                                        size_t *suggested_local_work_size)
{
    API_CALL;
    return clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim, global_work_offset,
                                             global_work_size, suggested_local_work_size);
}
