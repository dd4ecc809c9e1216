// SPDX-License-Identifier: Apache-2.0
// Copies and fills with Pumice's built-in kernels. For src/command only.
#ifndef PUMICE_COMMAND_OWN_KERNELS_H
#define PUMICE_COMMAND_OWN_KERNELS_H

#include "command/internal.h"
#include "vulkan/kernels/kernels.h"

// Both return false if Vulkan's own commands should be used; otherwise *result is the result of the
// enqueue.
bool cmd_own_copy(const struct cmd_request *request, struct vk_buffer *src, uint64_t src_offset,
                  struct vk_buffer *dst, uint64_t dst_offset, uint64_t size, cl_int *result);
bool cmd_own_fill(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                  uint64_t size, const void *pattern, size_t pattern_size, cl_int *result);

// immediate.c: the device's instance of a built-in kernel, created when first requested.
cl_int cmd_own_kernel(struct vk_device *device, enum vk_kernel id, struct cmd_kernel **kernel);

#endif
