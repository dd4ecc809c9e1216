// SPDX-License-Identifier: Apache-2.0
// The runtime's own kernels, compiled at build time from kernels.cl, in that file's order.
//
// To add one: write it there and a name here, at the same place.
#ifndef PUMICE_VULKAN_KERNELS_H
#define PUMICE_VULKAN_KERNELS_H

#include "pumice/kc.h"

enum vk_kernel {
    VK_KERNEL_COPY16,
    VK_KERNEL_COPY4,
    VK_KERNEL_FILL16,
    VK_KERNEL_MEET,
    VK_KERNEL_COUNT
};

// By addresses, and by storage buffers.
extern const struct kc_kernel vk_kernels[VK_KERNEL_COUNT], vk_kernels_bound[VK_KERNEL_COUNT];

#endif
