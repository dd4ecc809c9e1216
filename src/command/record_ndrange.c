// SPDX-License-Identifier: Apache-2.0
// An ND-range -> dispatches.
//
// If a range is not a multiple of the local size and the kernel has a guard (KC_SPEC_GUARD), the
// range is rounded up to whole groups. Otherwise it is split into at most eight regions of whole
// groups, each with a pipeline of its own local size (with a guard on a CPU: into whole groups and
// guarded ones at the edge). A region is split into several dispatches if it exceeds the device's
// group counts or the scratch memory. All of this is computed at the enqueue, which also captures
// the arguments; recording writes what differs between dispatches into the push block and emits the
// dispatches.
#include <stdlib.h>
#include <string.h>

#include "command/bindings.h"
#include "command/internal.h"
#include "command/kernel.h"
#include "command/printf.h"
#include "util/log.h"

enum { REGIONS = 8, BLOCK_BUFFER = 0, PRINTF_BUFFER = 1, PRINTF_READBACK = 2 };
// Limits of the scratch memory of a dispatch: the minimum is always allowed, more depends on the
// free memory. If there is less than the concurrently running work-items need, a launch is split
// into parts that run one after the other (on an H100 it takes 4 times as long with 1/4).
#define SCRATCH_MIN (UINT64_C(256) << 20)
#define SCRATCH_MAX (UINT64_C(1) << 30)
#define DISPATCHES_MAX (UINT64_C(1) << 20) // of one command

struct region {
    VkPipeline pipeline;
    uint32_t local[3];
    bool guarded; // KC_SPEC_GUARD is 1
    uint64_t first[3], groups[3]; // in units of the enqueue's local size
};

struct ndrange {
    struct command base;
    struct cmd_kernel *kernel;
    uint64_t offset[3], global[3];
    uint32_t local[3];
    bool guarded; // whole groups extend beyond the end of the range
    uint64_t step[3]; // maximum number of groups in one dispatch
    struct region *regions, whole; // `whole`: the only region if all groups have the same size
    uint32_t region_count;
    uint8_t *block; // push_size bytes; values common to all dispatches are already set
    uint64_t block_stride, block_used; // in the block buffer, if the push block is in device memory
    uint64_t scratch_size;
    struct cmd_access *access_array;
    struct cmd_bindings bindings;
    const struct kc_program *program; // program whose printf calls these are
    const struct vk_buffer *data; // the program's data segment
    bool local_given;             // the application specified the local size
    bool prints, counted; // counted in cmd_printf_buffers
    bool first_run;       // of a pipeline
    uint64_t enqueued;    // kc_kernel.enqueues: the address for its records
    uint32_t launch;      // its number as a parent of those records
    void (*finish)(void *data);
    void *finish_data;
};

atomic_uint cmd_printf_buffers;

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

// ---- sizes --------------------------------------------------------------------------------------

static cl_int take_sizes(struct ndrange *n, const struct cmd_ndrange *range)
{
    const struct kc_kernel *info = n->kernel->info;
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
    n->local_given = range->local[0] != 0;
    for (uint32_t i = 0; i < range->dims; i++) {
        global[i] = range->global[i];
        n->offset[i] = range->offset[i];
        local[i] = range->local[i];
    }
    struct cmd_groups groups = {{local[0], local[1], local[2]}, false};
    if (!n->local_given)
        groups = cmd_kernel_pick(n->kernel, global);
    n->guarded = groups.guarded || cmd_kernel_guards(n->kernel, global, groups.local);
    memcpy(local, groups.local, sizeof local);
    for (int i = 0; i < 3; i++) {
        if (local[i] > UINT32_MAX)
            return CL_INVALID_WORK_ITEM_SIZE;
        n->global[i] = global[i];
        n->local[i] = (uint32_t)local[i];
        if (info->reqd_local_size[0] && info->reqd_local_size[i] != local[i])
            return CL_INVALID_WORK_GROUP_SIZE;
        if (n->kernel->fixed_local && global[i] % local[i])
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    cmd_fit_group(n->kernel, n->local);
    return CL_SUCCESS;
}

static cl_int check_sizes(const struct ndrange *n, uint64_t local_memory)
{
    const VkPhysicalDeviceLimits *limits = &n->kernel->device->facts->props.limits;
    if (local_memory > limits->maxComputeSharedMemorySize) {
        log_write(LOG_QUEUE, "kernel '%s' needs %llu bytes of local memory, the device has %u",
                  n->kernel->info->name, (unsigned long long)local_memory,
                  limits->maxComputeSharedMemorySize);
        return CL_OUT_OF_RESOURCES;
    }
    for (int i = 0; i < 3; i++)
        if (n->local[i] > limits->maxComputeWorkGroupSize[i])
            return CL_INVALID_WORK_ITEM_SIZE;
    if (!vk_local_size_fits(n->kernel->device->facts, n->local, (uint32_t)local_memory))
        return CL_INVALID_WORK_GROUP_SIZE;
    // the API has chosen the general version of kernels for larger groups
    return cmd_local_fits(n->kernel, n->local) ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

// The specified size is valid, but not the one that is used.
static void replace_sizes(struct ndrange *n)
{
    const size_t global[3] = {n->global[0], n->global[1], n->global[2]};
    struct cmd_groups groups = cmd_kernel_pick(n->kernel, global);
    n->guarded = groups.guarded;
    for (int i = 0; i < 3; i++)
        n->local[i] = (uint32_t)groups.local[i];
    cmd_fit_group(n->kernel, n->local);
}

static uint64_t group_count(const struct ndrange *n, uint32_t dim)
{
    return n->global[dim] / n->local[dim] + (n->global[dim] % n->local[dim] != 0);
}

// What all work-items need, at most SCRATCH_MAX.
static uint64_t scratch_wanted(const struct ndrange *n, uint64_t group_bytes)
{
    uint64_t bytes = min_u64(group_bytes, SCRATCH_MAX);
    for (uint32_t i = 0; i < 3; i++)
        bytes = group_count(n, i) > SCRATCH_MAX / bytes ? SCRATCH_MAX : bytes * group_count(n, i);
    return bytes;
}

// Bytes of scratch memory that a dispatch may have.
static uint64_t scratch_budget(const struct ndrange *n, uint64_t group_bytes)
{
    const struct vk_device *device = n->kernel->device;
    uint64_t memory = device->facts->device_memory, least = min_u64(SCRATCH_MIN, memory / 8), free;
    uint64_t wanted = min_u64(scratch_wanted(n, group_bytes), memory / 16);
    bool more = wanted > least && n->kernel->info->scratch_lanes > 1;
    more &= more && (wanted <= atomic_load(&n->base.queue->scratch_size) ||
                     (vk_physical_free_bytes(device->physical, &free) && wanted <= free / 8));
    return min_u64(more ? wanted : least, vk_storage_range(device->facts));
}

// Limits the number of groups per dimension in one dispatch.
static void set_steps(struct ndrange *n)
{
    const struct kc_kernel *info = n->kernel->info;
    const VkPhysicalDeviceLimits *limits = &n->kernel->device->facts->props.limits;
    uint64_t items = (uint64_t)n->local[0] * n->local[1] * n->local[2];
    for (int i = 0; i < 3; i++) // invocation IDs have 32 bits
        n->step[i] = min_u64(limits->maxComputeWorkGroupCount[i], UINT32_MAX / n->local[i]);
    if (!info->scratch_bytes)
        return;
    uint64_t groups = scratch_budget(n, items * info->scratch_bytes) / (items * info->scratch_bytes), used = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t most = group_count(n, (uint32_t)i);
        uint64_t left = groups / used ? groups / used : 1;
        n->step[i] = min_u64(min_u64(n->step[i], left), most);
        used *= n->step[i];
    }
    n->scratch_size = kc_scratch_size(info, used * items);
}

// ---- regions ------------------------------------------------------------------------------------

// Whether one pipeline handles the whole range. False: the inner part is faster without a guard,
// because a CPU's driver masks all operations after a possible return.
static bool is_one_region(const struct ndrange *n)
{
    enum { FEW_ITEMS = 1 << 15 };
    uint64_t items = 1;
    for (int i = 0; i < 3; i++)
        items *= min_u64(n->global[i], FEW_ITEMS);
    bool cpu = n->kernel->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return n->guarded && (n->kernel->sees_groups || items < FEW_ITEMS || !cpu);
}

static void make_whole(const struct ndrange *n, struct region *region)
{
    region->guarded = true;
    for (int i = 0; i < 3; i++) {
        region->local[i] = n->local[i];
        region->groups[i] = group_count(n, (uint32_t)i);
    }
}

// Bit i of `edge` set: the smaller groups at the end of dimension i.
static bool make_region(const struct ndrange *n, unsigned edge, struct region *region)
{
    region->guarded = n->guarded && edge;
    for (int i = 0; i < 3; i++) {
        uint64_t whole = n->global[i] / n->local[i];
        uint32_t rest = (uint32_t)(n->global[i] % n->local[i]);
        bool end = edge >> i & 1;
        region->local[i] = end && !n->guarded ? rest : n->local[i];
        region->first[i] = end ? whole : 0;
        region->groups[i] = end ? rest > 0 : whole;
        if (!region->groups[i])
            return false;
    }
    return true;
}

static VkResult make_regions(struct ndrange *n, uint32_t *spec_values)
{
    const struct kc_kernel *info = n->kernel->info;
    VkResult result = VK_SUCCESS;
    bool edges = false, one = is_one_region(n);
    for (int i = 0; i < 3 && !one; i++)
        edges |= n->global[i] % n->local[i] != 0;
    n->regions = edges ? calloc(REGIONS, sizeof *n->regions) : &n->whole;
    if (!n->regions)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (unsigned edge = 0; edge < (edges ? REGIONS : 1) && result == VK_SUCCESS; edge++) {
        struct region *region = &n->regions[n->region_count];
        if (one)
            make_whole(n, region);
        else if (!make_region(n, edge, region))
            continue;
        for (uint32_t i = 0; i < info->spec_count; i++)
            if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE)
                spec_values[i] = region->local[info->specs[i].dim];
        cmd_fill_items(info, region->local, spec_values);
        if (n->kernel->guard >= 0)
            spec_values[n->kernel->guard] = region->guarded;
        result = cmd_kernel_pipeline(n->kernel, spec_values, &region->pipeline, &n->first_run);
        n->region_count++;
    }
    if (n->local_given && n->first_run && (n->guarded || n->region_count == 1))
        cmd_kernel_note_size(n->kernel, n->local, n->guarded);
    return result;
}

// Capped at DISPATCHES_MAX + 1.
static uint64_t dispatch_count(const struct ndrange *n)
{
    uint64_t count = 0;
    for (uint32_t r = 0; r < n->region_count; r++) {
        uint64_t one = 1;
        for (int i = 0; i < 3; i++) {
            uint64_t groups = n->regions[r].groups[i];
            uint64_t steps = groups / n->step[i] + (groups % n->step[i] != 0);
            one = min_u64(one, DISPATCHES_MAX + 1) * min_u64(steps, DISPATCHES_MAX + 1);
        }
        count += min_u64(one, DISPATCHES_MAX + 1);
    }
    return min_u64(count, DISPATCHES_MAX + 1);
}

// ---- local memory -------------------------------------------------------------------------------

static bool pushes_local(const struct kc_kernel *info, uint32_t arg)
{
    for (uint32_t i = 0; i < info->push_count; i++)
        if (info->push[i].kind == KC_PUSH_LOCAL_ARG && info->push[i].arg == arg)
            return true;
    return false;
}

// The offset of local argument `arg` in the shared array; arg_count: the end of all arguments.
static uint64_t local_offset(const struct kc_kernel *info, const struct cmd_arg *args, uint32_t arg)
{
    uint64_t end = info->local_static_shared;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        if (info->args[i].kind != KC_ARG_LOCAL || !pushes_local(info, i))
            continue;
        uint64_t offset = round_up(end, info->args[i].align > 16 ? info->args[i].align : 16);
        if (i == arg)
            return offset;
        end = offset + args[i].size;
    }
    return end;
}

// Size of a local argument with an array of its own, at least one element. Matrix units require
// arrays aligned to 16 bytes, and the driver lays arrays out one after the other.
static uint64_t own_bytes(const struct kc_kernel *info, const struct cmd_arg *arg)
{
    uint64_t size = arg->size ? arg->size : 1;
    return info->matrix_units ? round_up(size, 16) : size;
}

static uint64_t local_memory(const struct kc_kernel *info, const struct cmd_arg *args,
                             uint64_t shared_end)
{
    uint64_t total = info->local_memory;
    total += shared_end > info->local_static_shared ? shared_end - info->local_static_shared : 0;
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_LOCAL && !pushes_local(info, i))
            total += own_bytes(info, &args[i]);
    return total;
}

static void fill_specs(const struct cmd_kernel *kernel, const struct cmd_arg *args,
                       uint64_t shared_end, uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    for (uint32_t i = 0; i < info->spec_count; i++) {
        const struct kc_spec *spec = &info->specs[i];
        if (spec->kind == KC_SPEC_LOCAL_ARG)
            values[i] = cmd_local_elements(own_bytes(info, &args[spec->arg]), spec->unit);
        else if (spec->kind == KC_SPEC_LOCAL_TOTAL)
            values[i] = cmd_local_elements(shared_end, spec->unit);
        else if (spec->kind == KC_SPEC_IMAGE_FORMAT)
            values[i] = cmd_binding_format(kernel->device, &info->bindings[spec->arg],
                                           args[info->bindings[spec->arg].arg].surface);
        else if (spec->kind == KC_SPEC_SAMPLER)
            values[i] = args[spec->arg].sampler;
        else
            values[i] = 1;
    }
}

// ---- the push block -----------------------------------------------------------------------------

static void put(uint8_t *block, const struct kc_push *push, uint64_t value)
{
    memcpy(block + push->offset, &value, push->size < 8 ? push->size : 8); // little-endian hosts
}

static uint64_t arg_address(const struct cmd_arg *arg)
{
    return arg->buffer ? arg->buffer->address + arg->offset : arg->offset;
}

static void put_image(uint8_t *block, const struct kc_push *push, const struct cmd_surface *surface)
{
    if (push->kind == KC_PUSH_IMAGE_ORDER)
        put(block, push, surface->order);
    else if (push->kind == KC_PUSH_IMAGE_TYPE)
        put(block, push, surface->type);
    else
        put(block, push, surface->size[push->dim]);
}

static void put_arg(const struct ndrange *n, const struct kc_push *push, const struct cmd_arg *args)
{
    const struct kc_arg *info = &n->kernel->info->args[push->arg];
    const struct cmd_arg *arg = &args[push->arg];
    uint8_t *block = n->block;
    if (info->kind == KC_ARG_VALUE || info->kind == KC_ARG_QUEUE)
        memcpy(block + push->offset, arg->value, push->size < info->size ? push->size : info->size);
    else if (info->kind == KC_ARG_SAMPLER)
        put(block, push, arg->sampler);
    else if (push->size == sizeof(uint32_t))
        put(block, push, cmd_bindings_rest(&n->bindings, n->kernel->info, args, push->arg));
    else
        put(block, push, arg_address(arg));
}

// The local size as the kernel sees it.
static uint64_t seen_local(const struct ndrange *n, uint32_t dim)
{
    return n->guarded ? 1 : n->local[dim];
}

// Sets the values that are the same in all dispatches.
static void fill_block(struct ndrange *n, const struct cmd_ndrange *range)
{
    const struct kc_kernel *info = n->kernel->info;
    for (uint32_t i = 0; i < info->push_count; i++) {
        const struct kc_push *push = &info->push[i];
        switch (push->kind) {
        case KC_PUSH_ARG:
            put_arg(n, push, range->args);
            break;
        case KC_PUSH_BUFFER_NUMBER:
            put(n->block, push, cmd_bindings_number(&n->bindings, info, range->args, push->arg, push->size * 8));
            break;
        case KC_PUSH_IMAGE_ORDER:
        case KC_PUSH_IMAGE_TYPE:
        case KC_PUSH_IMAGE_SIZE:
            put_image(n->block, push, range->args[push->arg].surface);
            break;
        case KC_PUSH_LOCAL_ARG:
            put(n->block, push, local_offset(info, range->args, push->arg));
            break;
        case KC_PUSH_GLOBAL_OFFSET:
            put(n->block, push, n->offset[push->dim]);
            break;
        case KC_PUSH_GLOBAL_SIZE:
            put(n->block, push, n->global[push->dim]);
            break;
        case KC_PUSH_NUM_GROUPS:
            put(n->block, push, n->guarded ? n->global[push->dim] : group_count(n, push->dim));
            break;
        case KC_PUSH_ENQUEUED_LOCAL:
            put(n->block, push, seen_local(n, push->dim));
            break;
        case KC_PUSH_WORK_DIM:
            put(n->block, push, range->dims);
            break;
        case KC_PUSH_DATA:
            put(n->block, push, range->data->address);
            break;
        default: // set for each dispatch
            break;
        }
    }
}

// `group`: the first of `count` groups in each dimension.
static void fill_dispatch(struct ndrange *n, const uint64_t group[3], const uint64_t count[3])
{
    const struct kc_kernel *info = n->kernel->info;
    for (uint32_t i = 0; i < info->push_count; i++) {
        const struct kc_push *push = &info->push[i];
        if (push->kind == KC_PUSH_GLOBAL_BASE)
            put(n->block, push, n->offset[push->dim] + group[push->dim] * n->local[push->dim]);
        else if (push->kind == KC_PUSH_GROUP_BASE)
            put(n->block, push, n->guarded ? group[push->dim] * n->local[push->dim] : group[push->dim]);
        else if (push->kind == KC_PUSH_ITEMS)
            put(n->block, push, min_u64(n->global[push->dim] - group[push->dim] * n->local[push->dim], count[push->dim] * n->local[push->dim]));
        else if (push->kind == KC_PUSH_SCRATCH)
            put(n->block, push, n->base.queue->scratch.address);
        else if (push->kind == KC_PUSH_PRINTF)
            put(n->block, push, n->base.buffers[PRINTF_BUFFER].address);
        else if (push->kind == KC_PUSH_ENQUEUED)
            put(n->block, push, n->enqueued);
        else if (push->kind == KC_PUSH_LAUNCH)
            put(n->block, push, n->launch);
    }
}

// ---- printf -------------------------------------------------------------------------------------

enum { PRINTF_SIZE = KC_PRINTF_HEADER + CMD_PRINTF_BYTES + KC_PRINTF_RECORD_MAX };

static const uint32_t printf_header[2] = {0, CMD_PRINTF_BYTES};

static void arm_printf(struct ndrange *n)
{
    struct vk_buffer *buffer = &n->base.buffers[PRINTF_BUFFER];
    if (buffer->host)
        memcpy(buffer->host, printf_header, sizeof printf_header);
}

// Each command has a buffer of its own, so its output is not interleaved. If the buffer is not
// host-visible, the device writes the header and copies the buffer back after the kernel.
static VkResult make_printf(struct ndrange *n)
{
    struct vk_device *device = n->base.queue->device;
    struct vk_buffer *buffer = &n->base.buffers[PRINTF_BUFFER];
    VkResult result = vk_buffer_create(device, VK_MEMORY_DEVICE, PRINTF_SIZE, buffer);
    if (result == VK_SUCCESS && !buffer->host)
        result = vk_buffer_create(device, VK_MEMORY_READBACK, PRINTF_SIZE,
                                  &n->base.buffers[PRINTF_READBACK]);
    if (result != VK_SUCCESS)
        return result;
    arm_printf(n);
    n->counted = !n->base.queue->recording; // a recording keeps its buffer
    if (n->counted)
        atomic_fetch_add(&cmd_printf_buffers, 1);
    return VK_SUCCESS;
}

static void begin_printf(struct ndrange *n, VkCommandBuffer commands)
{
    struct vk_device *device = n->base.queue->device;
    const struct vk_buffer *buffer = &n->base.buffers[PRINTF_BUFFER];
    if (buffer->host)
        return;
    device->fn.CmdUpdateBuffer(commands, buffer->handle, buffer->offset, sizeof printf_header, printf_header);
    vk_commands_barrier(device, commands);
}

static void finish_printf(struct ndrange *n, VkCommandBuffer commands)
{
    struct vk_device *device = n->base.queue->device;
    const struct vk_buffer *from = &n->base.buffers[PRINTF_BUFFER];
    const struct vk_buffer *to = &n->base.buffers[PRINTF_READBACK];
    if (from->host)
        return;
    VkBufferCopy region = {from->offset, to->offset, PRINTF_SIZE};
    vk_commands_barrier(device, commands);
    device->fn.CmdCopyBuffer(commands, from->handle, to->handle, 1, &region);
}

static void uncount_printf(struct ndrange *n)
{
    if (n->counted)
        atomic_fetch_sub(&cmd_printf_buffers, 1);
    n->counted = false;
}

static void drain_printf(struct ndrange *n)
{
    const struct vk_buffer *buffer = &n->base.buffers[PRINTF_BUFFER];
    if (!buffer->host)
        buffer = &n->base.buffers[PRINTF_READBACK];
    const struct vk_features *features = &n->kernel->device->facts->features;
    struct printf_source source = {n->program, n->data->address, (uint32_t)n->data->address,
                                   buffer->host, PRINTF_SIZE};
    if (!features->buffer_device_address) {
        source.data_address = kc_data_number(features->int64 ? 64 : 32);
        source.call_address = 0;
    }
    printf_write(&source, stdout);
    arm_printf(n); // the command may be replayed
    uncount_printf(n);
}

// ---- recording ----------------------------------------------------------------------------------

// Scratch memory belongs to the queue: dispatches that use it run one after the other. Nothing may
// fail after this call, because the command now owns a buffer that earlier commands may still use.
static VkResult prepare_scratch(struct ndrange *n)
{
    struct cmd_queue *queue = n->base.queue;
    struct vk_buffer larger;
    if (n->scratch_size <= queue->scratch.size)
        return VK_SUCCESS;
    VkResult result = vk_buffer_create(queue->device, VK_MEMORY_DEVICE, n->scratch_size, &larger);
    if (result != VK_SUCCESS)
        return result;
    n->base.buffers[COMMAND_BUFFERS - 1] =
        queue->scratch; // earlier commands complete before this one
    queue->scratch = larger;
    atomic_store(&queue->scratch_size, larger.size);
    return VK_SUCCESS;
}

// Push constants stay valid across pipelines with the same layout. Kernels with descriptors have
// layouts of their own, so the state is unknown after them.
static void push(struct ndrange *n, struct cmd_batch *batch, const void *block, uint32_t size)
{
    struct vk_device *device = n->base.queue->device;
    if (batch->push_size == size && !memcmp(batch->push, block, size))
        return;
    device->fn.CmdPushConstants(batch->commands, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, size, block);
    batch->push_size = size <= PUSH_CACHED && !n->bindings.kernel ? size : 0;
    memcpy(batch->push, block, batch->push_size);
}

static void push_block(struct ndrange *n, struct cmd_batch *batch)
{
    const struct kc_kernel *info = n->kernel->info;
    const struct vk_buffer *buffer = &n->base.buffers[BLOCK_BUFFER];
    if (!info->push_size)
        return;
    if (!info->push_indirect) {
        push(n, batch, n->block, (uint32_t)round_up(info->push_size, 4));
        return;
    }
    uint64_t address = buffer->address + n->block_used;
    memcpy((uint8_t *)buffer->host + n->block_used, n->block, info->push_size);
    if (n->bindings.block)
        cmd_bindings_block(&n->bindings, batch->commands, n->block_used);
    n->block_used += n->block_stride;
    if (n->bindings.block)
        return;
    push(n, batch, &address, sizeof address);
}

static void bind_pipeline(struct vk_device *device, struct cmd_batch *batch, VkPipeline pipeline)
{
    if (batch->pipeline != pipeline)
        device->fn.CmdBindPipeline(batch->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    batch->pipeline = pipeline;
}

static void dispatch(struct ndrange *n, const struct region *region, struct cmd_batch *batch, const uint64_t at[3])
{
    struct vk_device *device = n->base.queue->device;
    uint64_t group[3], count[3];
    for (int i = 0; i < 3; i++) {
        group[i] = region->first[i] + at[i];
        count[i] = min_u64(region->groups[i] - at[i], n->step[i]);
    }
    if (n->scratch_size)
        vk_commands_barrier(device, batch->commands);
    fill_dispatch(n, group, count);
    push_block(n, batch);
    cmd_batch_add_kind(batch, (uint64_t)region->pipeline);
    cmd_batch_add_kind(batch, count[0] ^ count[1] << 21 ^ count[2] << 42);
    device->fn.CmdDispatch(batch->commands, (uint32_t)count[0], (uint32_t)count[1], (uint32_t)count[2]);
}

// A CPU's driver compiles a pipeline at its first dispatch, even one without groups: this makes the
// kernel's measured time begin after that. Skipped if more than a descriptor set would have to be
// bound first.
void prepare_ndrange(struct command *command, struct cmd_batch *batch)
{
    struct ndrange *n = (struct ndrange *)command;
    struct vk_device *device = command->queue->device;
    const struct kc_kernel *info = n->kernel->info;
    const struct cmd_bindings *b = &n->bindings;
    if (!n->first_run || b->stand_in_count || b->cluster || b->late || b->block || !vk_compiles_late(device))
        return;
    cmd_bindings_begin(b, NULL, batch->commands);
    if (info->push_size)
        push(n, batch, n->block, info->push_indirect ? (uint32_t)sizeof(uint64_t) : (uint32_t)round_up(info->push_size, 4));
    for (uint32_t r = 0; r < n->region_count; r++) {
        bind_pipeline(device, batch, n->regions[r].pipeline);
        device->fn.CmdDispatch(batch->commands, 0, 0, 0);
    }
}

VkResult record_ndrange(struct command *command, struct cmd_batch *batch)
{
    struct ndrange *n = (struct ndrange *)command;
    struct vk_device *device = command->queue->device;
    bool has_printf = n->base.buffers[PRINTF_BUFFER].device; // a replayed launch may be recorded
                                                             // several times
    VkResult result = n->prints && !has_printf ? make_printf(n) : VK_SUCCESS;
    if (result == VK_SUCCESS)
        result = prepare_scratch(n);
    if (result != VK_SUCCESS)
        return result;
    if (n->prints)
        begin_printf(n, batch->commands);
    const struct cmd_bound bound = {.printf = &n->base.buffers[PRINTF_BUFFER],
                                    .scratch = &command->queue->scratch};
    cmd_bindings_begin(&n->bindings, &bound, batch->commands);
    n->bindings.late = false;
    n->block_used = 0;
    if (n->bindings.kernel)
        batch->push_size = 0;
    for (uint32_t r = 0; r < n->region_count; r++) {
        const struct region *region = &n->regions[r];
        uint64_t at[3];
        bind_pipeline(device, batch, region->pipeline);
        for (at[2] = 0; at[2] < region->groups[2]; at[2] += n->step[2])
            for (at[1] = 0; at[1] < region->groups[1]; at[1] += n->step[1])
                for (at[0] = 0; at[0] < region->groups[0]; at[0] += n->step[0])
                    dispatch(n, region, batch, at);
    }
    cmd_bindings_end(&n->bindings, batch->commands);
    batch->first_run |= n->first_run;
    if (n->prints)
        finish_printf(n, batch->commands);
    return VK_SUCCESS;
}

void after_ndrange(struct command *command)
{
    struct ndrange *n = (struct ndrange *)command;
    if (n->prints)
        drain_printf(n);
    if (n->finish)
        n->finish(n->finish_data);
}

void clear_ndrange(struct command *command)
{
    struct ndrange *n = (struct ndrange *)command;
    free(n->access_array);
    n->access_array = NULL;
    if (n->regions != &n->whole)
        free(n->regions);
    n->regions = NULL;
    cmd_bindings_finish(&n->bindings);
    uncount_printf(n);
}

// ---- enqueueing ---------------------------------------------------------------------------------

static bool writes_memory(const struct kc_arg *arg)
{
    return arg->kind != KC_ARG_CONSTANT;
}

// Lists the memory that the kernel accesses through its arguments.
static bool set_accesses(struct ndrange *n, const struct cmd_ndrange *range)
{
    const struct kc_kernel *info = n->kernel->info;
    struct cmd_access *list = n->base.accesses;
    if (info->arg_count > COMMAND_ACCESSES)
        list = n->access_array = malloc(info->arg_count * sizeof *list);
    if (!list)
        return false;
    n->base.access_list = list;
    n->base.all_memory = range->any_memory;
    n->base.any_host = range->any_host;
    bool on_device = true;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        const struct cmd_arg *arg = &range->args[i];
        if (arg->surface) {
            list[n->base.access_count++] = cmd_surface_access(arg->surface, &info->args[i]);
            on_device &= arg->surface->image != NULL;
        }
        if (info->args[i].kind != KC_ARG_GLOBAL && info->args[i].kind != KC_ARG_CONSTANT)
            continue;
        if (!arg->buffer) {
            n->base.all_memory |= arg->offset != 0;
            continue;
        }
        uint64_t begin = arg->buffer->address;
        list[n->base.access_count++] =
            (struct cmd_access){begin, begin + arg->buffer->size, writes_memory(&info->args[i])};
        on_device &= !writes_memory(&info->args[i]) || !cmd_writes_for_host(n->base.queue, arg->buffer);
    }
    n->base.device_only = on_device && !n->base.all_memory && !n->base.any_host && !n->prints;
    return true;
}

static cl_int prepare_block(struct ndrange *n)
{
    const struct kc_kernel *info = n->kernel->info;
    if (!info->push_indirect)
        return info->push_size <= n->kernel->device->facts->max_push_bytes ? CL_SUCCESS
                                                                           : CL_OUT_OF_RESOURCES;
    bool bound = !n->kernel->device->facts->features.buffer_device_address;
    n->block_stride = round_up(info->push_size, bound ? VK_BUFFER_ALIGN : 64);
    return cmd_error(vk_buffer_create(n->kernel->device, VK_MEMORY_UPLOAD,
                                      n->block_stride * dispatch_count(n),
                                      &n->base.buffers[BLOCK_BUFFER]));
}

static cl_int prepare(struct ndrange *n, const struct cmd_ndrange *range,
                      union vk_descriptor *list)
{
    const struct kc_kernel *info = n->kernel->info;
    uint32_t values[VK_SPEC_MAX];
    if (info->spec_count > VK_SPEC_MAX)
        return CL_OUT_OF_RESOURCES;
    uint64_t shared_end = local_offset(info, range->args, info->arg_count);
    cl_int result = take_sizes(n, range);
    if (result == CL_SUCCESS)
        result = check_sizes(n, local_memory(info, range->args, shared_end));
    if (result != CL_SUCCESS)
        return result;
    if (n->local_given && cmd_kernel_replaces(n->kernel, n->local))
        replace_sizes(n);
    set_steps(n);
    fill_specs(n->kernel, range->args, shared_end, values);
    result = cmd_error(make_regions(n, values));
    if (result == CL_SUCCESS && dispatch_count(n) > DISPATCHES_MAX)
        result = CL_OUT_OF_RESOURCES;
    if (result == CL_SUCCESS)
        result = prepare_block(n);
    if (result == CL_SUCCESS && !set_accesses(n, range))
        result = CL_OUT_OF_HOST_MEMORY;
    const struct cmd_bound bound = {.data = range->data, .block = &n->base.buffers[BLOCK_BUFFER]};
    if (result == CL_SUCCESS)
        result = cmd_bindings_make(&n->bindings, n->kernel, range->args, &bound, list);
    if (result == CL_SUCCESS)
        fill_block(n, range);
    n->base.replay_exclusive =
        n->prints || n->scratch_size || n->bindings.stand_in_count || n->bindings.cluster;
    return result;
}

static bool is_empty(const struct cmd_ndrange *range)
{
    for (uint32_t i = 0; i < range->dims; i++)
        if (!range->global[i])
            return true;
    return false;
}

cl_int cmd_ndrange_make(const struct cmd_request *request, const struct cmd_ndrange *range, struct command **out)
{
    const struct kc_kernel *info = range->kernel->info;
    size_t block = (sizeof(struct ndrange) + 15) / 16 * 16;
    size_t list = block + round_up(info->push_size, 16);
    struct ndrange *n = (struct ndrange *)cmd_new(
        request, CMD_NDRANGE, list + info->binding_count * sizeof(union vk_descriptor));
    if (!n)
        return CL_OUT_OF_HOST_MEMORY;
    n->kernel = range->kernel;
    n->block = (uint8_t *)n + block;
    n->finish = range->finish;
    n->finish_data = range->finish_data;
    n->program = range->program;
    n->data = range->data;
    n->prints = info->uses_printf;
    n->enqueued = range->enqueued;
    n->launch = range->launch;
    n->base.skip_after = !n->prints && !n->finish;
    cl_int result = prepare(n, range, (union vk_descriptor *)((uint8_t *)n + list));
    if (result != CL_SUCCESS) {
        cmd_drop(&n->base);
        return result;
    }
    cmd_span_range(&n->base, info->name, n->global, n->local);
    *out = &n->base;
    return CL_SUCCESS;
}

void cmd_ndrange_join(struct command *command, struct cmd_queue *queue, uint64_t enqueued)
{
    ((struct ndrange *)command)->enqueued = enqueued;
    command->queue = queue;
    command->profiled = command->timed = queue->timing;
    command->observed = true; // the family reports its times
}

cl_int cmd_ndrange(const struct cmd_request *request, const struct cmd_ndrange *range)
{
    struct command *command;
    if (is_empty(range))
        return cmd_marker(request);
    if (range->enqueuer)
        return cmd_family_enqueue(request, range);
    cl_int result = cmd_ndrange_make(request, range, &command);
    return result ? result : cmd_enqueue(request, command);
}
