// SPDX-License-Identifier: Apache-2.0
// Several arguments behind one binding. See cluster.h.
#include "command/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "vulkan/submit.h"

static VkDeviceSize round_up(VkDeviceSize x, VkDeviceSize to)
{
    return (x + to - 1) / to * to;
}

static bool is_buffer(const struct kc_arg *info, const struct cmd_arg *arg)
{
    return (info->kind == KC_ARG_GLOBAL || info->kind == KC_ARG_CONSTANT) && arg->buffer;
}

struct cmd_arg cmd_span(const struct kc_kernel *info, const struct cmd_arg *args, uint32_t index)
{
    struct cmd_arg span = args[index];
    for (uint32_t i = 0; info->args[index].numbered && span.buffer && i < info->arg_count; i++) {
        if (!info->args[i].numbered || args[i].buffer != span.buffer)
            continue;
        uint64_t begin = args[i].offset < span.offset ? args[i].offset : span.offset;
        uint64_t end = args[i].offset + args[i].size, own_end = span.offset + span.size;
        span.size = (end > own_end ? end : own_end) - begin;
        span.offset = begin;
    }
    return span;
}

static struct cmd_moved range_of(const struct cmd_arg *arg, bool written)
{
    VkDeviceSize begin = arg->buffer->offset + arg->offset;
    return (struct cmd_moved){arg->buffer->handle, begin, begin + arg->size, 0, written};
}

// ---- in place -------------------------------------------------------------------------------------

// False: the arguments are in different buffers, or too far from each other in one.
static bool find_range(struct cmd_cluster *cluster, const struct vk_device *device,
                       const struct kc_kernel *info, const struct cmd_arg *args)
{
    const VkDeviceSize align = vk_binding_align(device->facts);
    struct cmd_moved all = {.begin = UINT64_MAX};
    for (uint32_t i = 0; i < info->arg_count; i++) {
        if (!info->args[i].clustered || !args[i].buffer)
            continue;
        struct cmd_arg span = cmd_span(info, args, i);
        struct cmd_moved one = range_of(&span, false);
        if (all.handle && all.handle != one.handle)
            return false;
        all.handle = one.handle;
        all.begin = one.begin < all.begin ? one.begin : all.begin;
        all.end = one.end > all.end ? one.end : all.end;
    }
    if (!all.handle)
        return true;
    all.begin = all.begin / align * align;
    all.end = all.begin + round_up(all.end - all.begin, 16);
    if (all.end - all.begin > vk_storage_span(device->facts))
        return false;
    cluster->range = (VkDescriptorBufferInfo){all.handle, all.begin, all.end - all.begin};
    return true;
}

// ---- copied ---------------------------------------------------------------------------------------

static bool overlap(const struct cmd_moved *a, const struct cmd_moved *b)
{
    return a->handle == b->handle && a->begin < b->end && b->begin < a->end;
}

// Overlapping ranges are merged.
static void add_range(struct cmd_cluster *cluster, struct cmd_moved range)
{
    for (uint32_t i = 0; i < cluster->moved_count;) {
        struct cmd_moved *other = &cluster->moved[i];
        if (!overlap(other, &range)) {
            i++;
            continue;
        }
        range.begin = other->begin < range.begin ? other->begin : range.begin;
        range.end = other->end > range.end ? other->end : range.end;
        range.written |= other->written;
        *other = cluster->moved[--cluster->moved_count];
        i = 0;
    }
    cluster->moved[cluster->moved_count++] = range;
}

// True if only a part of the range is copied. If neither writes, copy and original may both be
// used.
static bool is_partly_copied(const struct cmd_cluster *cluster, const struct cmd_moved *range)
{
    for (uint32_t i = 0; i < cluster->moved_count; i++) {
        const struct cmd_moved *moved = &cluster->moved[i];
        if (!overlap(moved, range) || !(moved->written || range->written))
            continue;
        return range->begin < moved->begin || range->end > moved->end ||
               (range->written && !moved->written);
    }
    return false;
}

static void choose_moved(struct cmd_cluster *cluster, const struct kc_kernel *info,
                         const struct cmd_arg *args)
{
    for (uint32_t i = 0; i < info->arg_count; i++) {
        struct cmd_arg span = cmd_span(info, args, i);
        if (info->args[i].clustered && span.buffer)
            add_range(cluster, range_of(&span, info->args[i].written));
    }
    for (uint32_t i = 0; i < info->arg_count; i++) {
        if (info->args[i].clustered || !is_buffer(&info->args[i], &args[i]))
            continue;
        struct cmd_arg span = cmd_span(info, args, i);
        struct cmd_moved range = range_of(&span, info->args[i].written);
        if (!is_partly_copied(cluster, &range))
            continue;
        add_range(cluster, range);
        i = UINT32_MAX; // it may overlap ranges that were already checked: restart at 0
    }
}

static cl_int make_copy(struct cmd_cluster *cluster, struct vk_device *device,
                        const struct kc_kernel *info)
{
    VkDeviceSize size = 0;
    for (uint32_t i = 0; i < cluster->moved_count; i++) {
        struct cmd_moved *moved = &cluster->moved[i];
        moved->at = size;
        size += round_up(moved->end - moved->begin, VK_BUFFER_ALIGN);
    }
    if (size > vk_storage_range(device->facts)) {
        log_write(LOG_QUEUE,
                  "kernel '%s' needs %llu bytes in one buffer binding, the device's limit is %llu",
                  info->name, (unsigned long long)size,
                  (unsigned long long)vk_storage_range(device->facts));
        return CL_OUT_OF_RESOURCES;
    }
    VkResult result = vk_buffer_create(device, VK_MEMORY_DEVICE, size, &cluster->copy);
    if (result == VK_SUCCESS)
        cluster->range = (VkDescriptorBufferInfo){cluster->copy.handle, cluster->copy.offset, size};
    return cmd_error(result);
}

cl_int cmd_cluster_make(struct cmd_cluster *cluster, struct vk_device *device,
                        const struct kc_kernel *info, const struct cmd_arg *args)
{
    if (find_range(cluster, device, info, args))
        return CL_SUCCESS;
    cluster->moved = calloc(info->arg_count, sizeof *cluster->moved);
    if (!cluster->moved)
        return CL_OUT_OF_HOST_MEMORY;
    choose_moved(cluster, info, args);
    return make_copy(cluster, device, info);
}

void cmd_cluster_finish(struct cmd_cluster *cluster)
{
    vk_buffer_destroy(&cluster->copy);
    free(cluster->moved);
    memset(cluster, 0, sizeof *cluster);
}

// ---- where things are -----------------------------------------------------------------------------

const struct vk_buffer *cmd_cluster_place(const struct cmd_cluster *cluster,
                                          const struct cmd_arg *arg, VkDeviceSize *offset)
{
    struct cmd_moved range = range_of(arg, false);
    for (uint32_t i = 0; i < cluster->moved_count; i++) {
        const struct cmd_moved *moved = &cluster->moved[i];
        if (moved->handle != range.handle || range.begin < moved->begin || range.end > moved->end)
            continue;
        *offset = moved->at + (range.begin - moved->begin);
        return &cluster->copy;
    }
    *offset = arg->offset;
    return arg->buffer;
}

uint32_t cmd_cluster_rest(const struct cmd_cluster *cluster, const struct cmd_arg *arg)
{
    VkDeviceSize offset;
    const struct vk_buffer *buffer = cmd_cluster_place(cluster, arg, &offset);
    return (uint32_t)(buffer->offset + offset - cluster->range.offset);
}

// ---- recording ------------------------------------------------------------------------------------

static void copy_range(const struct cmd_cluster *cluster, const struct cmd_moved *moved,
                       VkCommandBuffer commands, bool back)
{
    const struct vk_buffer *copy = &cluster->copy;
    VkBufferCopy region = {moved->begin, copy->offset + moved->at, moved->end - moved->begin};
    if (back)
        region = (VkBufferCopy){region.dstOffset, region.srcOffset, region.size};
    copy->device->fn.CmdCopyBuffer(commands, back ? copy->handle : moved->handle,
                                   back ? moved->handle : copy->handle, 1, &region);
}

void cmd_cluster_begin(const struct cmd_cluster *cluster, VkCommandBuffer commands)
{
    for (uint32_t i = 0; i < cluster->moved_count; i++)
        copy_range(cluster, &cluster->moved[i], commands, false);
    if (cluster->moved_count)
        vk_commands_barrier(cluster->copy.device, commands);
}

void cmd_cluster_end(const struct cmd_cluster *cluster, VkCommandBuffer commands)
{
    if (cluster->moved_count)
        vk_commands_barrier(cluster->copy.device, commands);
    for (uint32_t i = 0; i < cluster->moved_count; i++)
        if (cluster->moved[i].written)
            copy_range(cluster, &cluster->moved[i], commands, true);
}
