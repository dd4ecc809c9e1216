// SPDX-License-Identifier: Apache-2.0
// Keeps a GPU's clock up while it has users.
//
// NVIDIA's driver keeps the clock of a lightly loaded GPU up for contexts of CUDA (of which its own
// OpenCL is one) and lets it fall to a fifth under Vulkan's. So a thread of ours holds the device's
// primary CUDA context, which counts its holders: a program that uses CUDA itself shares it. The
// library is opened when it is there and nothing is lost where it is not. PUMICE_CLOCK chooses.
#ifndef PUMICE_VULKAN_CLOCK_H
#define PUMICE_VULKAN_CLOCK_H

#include "vulkan/device.h"

// The device has users from now on; none any more. Neither waits: what there is to do happens
// later, for those that stay.
void vk_clock_keep(const struct vk_facts *facts);
void vk_clock_drop(const struct vk_facts *facts);

// The process ends: nothing more is begun.
void vk_clock_end(void);

#endif
