// SPDX-License-Identifier: Apache-2.0
// Pumice's built-in kernels, compiled from kernels.cl at build time, in the order of that file.
//
// To add one: write it there and add a name here at the same position.
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

// With buffer device addresses, and with storage buffer bindings.
extern const struct kc_kernel vk_kernels[VK_KERNEL_COUNT], vk_kernels_bound[VK_KERNEL_COUNT];

#endif
