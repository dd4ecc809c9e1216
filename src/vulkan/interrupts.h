// SPDX-License-Identifier: Apache-2.0
// Which processor a device's interrupts go to, so that nobody waits for the device there.
//
// A driver may have the device interrupt at each submission's end, whoever looks for it. On an H200 (580.159) that takes the
// processor which gets the interrupts 35 us each time: a thread that polls there, or calls the driver next, has 48 us from
// one launch to the next where another processor has 15, and the system leaves it there as long as it runs. Sysfs tells
// how many interrupts of a PCI device each processor got.
#ifndef PUMICE_VULKAN_INTERRUPTS_H
#define PUMICE_VULKAN_INTERRUPTS_H

#include "vulkan/device.h"

// Adds, for each processor, the interrupts of the device since the system began; processors from VK_PROCESSORS on are left
// out. False: the system does not tell. `root`: "", or where files are looked for in its stead.
bool vk_interrupts_count(const struct vk_facts *facts, const char *root, uint64_t counts[VK_PROCESSORS]);

// Which processor got most of the new ones; -1 where all got few.
int vk_interrupts_most(const uint64_t before[VK_PROCESSORS], const uint64_t now[VK_PROCESSORS]);

// The calling thread, which is about to wait for the device, goes on elsewhere if it is on the processor that takes the
// device's interrupts. Now and then that takes some ten microseconds.
void vk_interrupts_step_aside(struct vk_device *device);

#endif
