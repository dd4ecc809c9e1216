// SPDX-License-Identifier: Apache-2.0
// A device's highest clock rate, which Vulkan does not report.
#ifndef PUMICE_VULKAN_CLOCK_RATE_H
#define PUMICE_VULKAN_CLOCK_RATE_H

#include "vulkan/device.h"

enum { VK_CLOCK_UNKNOWN_MHZ = 1000 };

// In MHz, from the driver's management library, the kernel's files or the CPU; VK_CLOCK_UNKNOWN_MHZ
// if none knows. May take some tens of milliseconds. `root`: prefix of file paths, for tests;
// normally "".
uint32_t vk_clock_mhz(const struct vk_facts *facts, const char *root);

#endif
