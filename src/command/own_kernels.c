// SPDX-License-Identifier: Apache-2.0
// Copies and fills with Pumice's built-in kernels, where they are faster than Vulkan's transfer
// commands.
//
// Vulkan's copy reaches a fifth of an H200's memory bandwidth, a compute shader nearly all of it.
// On CPU devices the transfer command is a memcpy, which is best. Between a GPU and the host it is
// best too: it is as fast as the link (49 GB/s there) and leaves the compute units to others.
// PUMICE_COPY=kernel or vulkan overrides the choice.
#include "command/own_kernels.h"

#include <string.h>

#include "util/options.h"
#include "vulkan/kernels/kernels.h"

enum { GROUP = 256, VENDOR_NVIDIA = 0x10de };
#define SIZE_MIN (UINT64_C(64) << 10) // smaller transfers gain nothing
#define ITEMS_MAX (UINT64_C(1) << 28) // above that, each work-item processes several elements

static bool use_kernels(const struct vk_device *device, bool to_host)
{
    const char *wish = option_get(OPTION_COPY);
    if (!device->facts->features.int64)
        return false;
    if (wish)
        return !strcmp(wish, "kernel");
    return device->facts->props.vendorID == VENDOR_NVIDIA && !to_host;
}

static bool launch(const struct cmd_request *request, enum vk_kernel id, const struct cmd_arg *args,
                   uint64_t count, cl_int *result)
{
    struct cmd_ndrange range = {.args = args, .dims = 1, .local = {GROUP}};
    if (cmd_own_kernel(request->queue->device, id, &range.kernel) != CL_SUCCESS)
        return false;
    range.global[0] = min_u64((count + GROUP - 1) / GROUP * GROUP, ITEMS_MAX);
    *result = cmd_ndrange(request, &range);
    return true;
}

bool cmd_own_copy(const struct cmd_request *request, struct vk_buffer *src, uint64_t src_offset,
                  struct vk_buffer *dst, uint64_t dst_offset, uint64_t size, cl_int *result)
{
    if (size < SIZE_MIN || !use_kernels(request->queue->device, src->host || dst->host))
        return false;
    uint64_t bits = (src->address + src_offset) | (dst->address + dst_offset);
    bool wide = bits % 16 == 0, addresses = request->queue->device->facts->features.buffer_device_address;
    if (bits % 4 || size % 4 || (!wide && !addresses)) // bindings are aligned to 16 bytes
        return false;
    uint64_t count = size / (wide ? 16 : 4);
    uint32_t rest = wide ? (uint32_t)(size % 16 / 4) : 0;
    const struct cmd_arg args[] = {
        {.buffer = dst, .offset = dst_offset},
        {.buffer = src, .offset = src_offset},
        {.value = &count, .size = sizeof count},
        {.value = &rest, .size = sizeof rest},
    };
    return launch(request, wide ? VK_KERNEL_COPY16 : VK_KERNEL_COPY4, args, count, result);
}

bool cmd_own_fill(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                  uint64_t size, const void *pattern, size_t pattern_size, cl_int *result)
{
    uint8_t bytes[16];
    if (pattern_size > sizeof bytes || size < SIZE_MIN ||
        !use_kernels(request->queue->device, false))
        return false;
    if ((buffer->address + offset) % 16 || size % 4)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = ((const uint8_t *)pattern)[i % pattern_size];
    uint64_t count = size / 16;
    uint32_t rest = (uint32_t)(size % 16 / 4);
    const struct cmd_arg args[] = {
        {.buffer = buffer, .offset = offset},
        {.value = bytes, .size = sizeof bytes},
        {.value = &count, .size = sizeof count},
        {.value = &rest, .size = sizeof rest},
    };
    return launch(request, VK_KERNEL_FILL16, args, count, result);
}
