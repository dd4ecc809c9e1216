// SPDX-License-Identifier: Apache-2.0
// Copies and fills by the runtime's own kernels. For src/command only.
#ifndef PUMICE_COMMAND_OWN_KERNELS_H
#define PUMICE_COMMAND_OWN_KERNELS_H

#include "command/internal.h"
#include "vulkan/kernels/kernels.h"

// Both: false where Vulkan's own commands are to be used; else *result is the enqueue's.
bool cmd_own_copy(const struct cmd_request *request, struct vk_buffer *src, uint64_t src_offset,
                  struct vk_buffer *dst, uint64_t dst_offset, uint64_t size, cl_int *result);
bool cmd_own_fill(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                  uint64_t size, const void *pattern, size_t pattern_size, cl_int *result);

// immediate.c: the device's copy of one of them, made when first asked for.
cl_int cmd_own_kernel(struct vk_device *device, enum vk_kernel id, struct cmd_kernel **kernel);

#endif
