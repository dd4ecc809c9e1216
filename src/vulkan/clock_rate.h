// SPDX-License-Identifier: Apache-2.0
// A device's highest clock rate, which Vulkan does not tell.
#ifndef PUMICE_VULKAN_CLOCK_RATE_H
#define PUMICE_VULKAN_CLOCK_RATE_H

#include "vulkan/device.h"

enum { VK_CLOCK_UNKNOWN_MHZ = 1000 };

// In MHz, as its driver's own library, the kernel's files or the processor say;
// VK_CLOCK_UNKNOWN_MHZ where none does. May take some ten milliseconds. `root`: "", or where files
// are looked for in its stead.
uint32_t vk_clock_mhz(const struct vk_facts *facts, const char *root);

#endif
