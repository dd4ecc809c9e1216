// SPDX-License-Identifier: Apache-2.0
// Finds the processor that handles a device's interrupts, so that no thread waits for the device
// there.
//
// A driver may make the device raise an interrupt after every submission, even if no thread waits
// in the driver. On an H200 (580.159) each costs the processor that handles it 35 us: a thread that
// polls there, or calls the driver next, needs 48 us per launch instead of 15 us, and the scheduler
// does not move it. Sysfs reports how many interrupts of a PCI device each processor has handled.
#ifndef PUMICE_VULKAN_INTERRUPTS_H
#define PUMICE_VULKAN_INTERRUPTS_H

#include "vulkan/device.h"

// Adds, for each processor, the device's interrupts since boot; processors from VK_PROCESSORS on
// are ignored. False: not available. `root`: prefix of file paths, for tests; normally "".
bool vk_interrupts_count(const struct vk_facts *facts, const char *root, uint64_t counts[VK_PROCESSORS]);

// The processor that handled most of the new ones; -1 if all handled few.
int vk_interrupts_busiest(const uint64_t before[VK_PROCESSORS], const uint64_t now[VK_PROCESSORS]);

// Whether a new count is due. True for one caller, which must arrange for vk_interrupts_refresh().
bool vk_interrupts_due(struct vk_device *device);

// For that caller, if it cannot: a count is due again.
void vk_interrupts_cancel(struct vk_device *device);

// Counts the interrupts, which takes about 0.2 ms: call it where no other thread waits.
void vk_interrupts_refresh(struct vk_device *device);

// Moves the calling thread, which is about to wait for the device, to another processor if it is on
// the one that handles the device's interrupts.
void vk_interrupts_avoid(struct vk_device *device);

#endif
