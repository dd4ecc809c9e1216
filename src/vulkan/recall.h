// SPDX-License-Identifier: Apache-2.0
// How kernels were first launched by earlier processes: the values of their pipelines'
// specialization constants, from the cache on disk, so that the right pipelines can be compiled
// before the first launch. One list for each device, newest first; its oldest entries are dropped.
#ifndef PUMICE_VULKAN_RECALL_H
#define PUMICE_VULKAN_RECALL_H

#include <stdbool.h>
#include <stdint.h>

struct vk_device;

enum { VK_RECALL_VALUES = 16 }; // kernels with more constants are not remembered

// Any thread. `kernel` identifies the kernel's code. False: nothing known.
bool vk_recall_find(struct vk_device *device, uint64_t kernel, uint32_t *values, uint32_t count);
void vk_recall_note(struct vk_device *device, uint64_t kernel, const uint32_t *values, uint32_t count);

// Adds what this process has noted to the file.
void vk_recall_save(struct vk_device *device);

#endif
