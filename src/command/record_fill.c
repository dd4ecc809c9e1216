// SPDX-License-Identifier: Apache-2.0
// Fills with a pattern of any size, at any offset.
//
// Vulkan fills with four aligned bytes; patterns up to that size use it directly if offset and size
// allow. For all others a staging buffer with repeated patterns is copied to the front, and the
// filled part is then copied behind itself until everything is filled: twice the memory traffic,
// but few commands.
#include <stdlib.h>
#include <string.h>

#include "command/own_kernels.h"

#define SEED UINT64_C(65536) // a multiple of every pattern size

struct fill {
    struct command base;
    VkBuffer handle;
    uint64_t offset, size;
    bool aligned;
    uint32_t word;
    uint64_t seed;
};

static uint32_t word_of(const void *pattern, size_t size)
{
    uint8_t bytes[4];
    uint32_t word;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = ((const uint8_t *)pattern)[i % size];
    memcpy(&word, bytes, sizeof word);
    return word;
}

VkResult record_fill(struct command *command, struct cmd_batch *batch)
{
    struct fill *fill = (struct fill *)command;
    struct vk_device *device = command->queue->device;
    if (fill->aligned) {
        device->fn.CmdFillBuffer(batch->commands, fill->handle, fill->offset, fill->size,
                                 fill->word);
        return VK_SUCCESS;
    }
    const struct vk_buffer *seed = &command->buffers[0];
    VkBufferCopy first = {seed->offset, fill->offset, fill->seed};
    device->fn.CmdCopyBuffer(batch->commands, seed->handle, fill->handle, 1, &first);
    for (uint64_t done = fill->seed; done < fill->size;) {
        uint64_t more = fill->size - done < done ? fill->size - done : done;
        VkBufferCopy next = {fill->offset, fill->offset + done, more};
        vk_commands_barrier(device, batch->commands);
        device->fn.CmdCopyBuffer(batch->commands, fill->handle, fill->handle, 1, &next);
        done += more;
    }
    return VK_SUCCESS;
}

static VkResult make_seed(struct fill *fill, const void *pattern, size_t pattern_size)
{
    struct vk_buffer *seed = &fill->base.buffers[0];
    fill->seed = fill->size < SEED ? fill->size : SEED;
    VkResult result =
        vk_buffer_create(fill->base.queue->device, VK_MEMORY_UPLOAD, fill->seed, seed);
    if (result != VK_SUCCESS)
        return result;
    for (uint64_t at = 0; at < fill->seed; at += pattern_size)
        memcpy((uint8_t *)seed->host + at, pattern, pattern_size);
    return VK_SUCCESS;
}

cl_int cmd_fill(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                uint64_t size, const void *pattern, size_t pattern_size)
{
    cl_int result;
    bool plain = pattern_size <= 4 && (buffer->offset + offset) % 4 == 0 && size % 4 == 0;
    if (!plain && cmd_own_fill(request, buffer, offset, size, pattern, pattern_size, &result))
        return result;
    struct fill *fill = (struct fill *)cmd_new(request, CMD_FILL, sizeof *fill);
    if (!fill)
        return CL_OUT_OF_HOST_MEMORY;
    cmd_access_add(&fill->base, buffer, offset, size, true);
    fill->base.device_only = !cmd_writes_for_host(request->queue, buffer);
    fill->handle = buffer->handle;
    fill->offset = buffer->offset + offset;
    fill->size = size;
    cmd_span_bytes(&fill->base, size);
    fill->aligned = plain;
    if (fill->aligned) {
        fill->word = word_of(pattern, pattern_size);
    } else {
        VkResult made = make_seed(fill, pattern, pattern_size);
        if (made != VK_SUCCESS) {
            cmd_drop(&fill->base);
            return cmd_error(made);
        }
    }
    return cmd_enqueue(request, &fill->base);
}
