// SPDX-License-Identifier: Apache-2.0
// What earlier processes did, from the cache on disk: how kernels were first launched (the values of
// their pipelines' specialization constants), so that the right pipelines can be compiled before the
// first launch, and how many command queues a program had. One list for each device, newest first;
// its oldest entries are dropped.
#ifndef PUMICE_VULKAN_RECALL_H
#define PUMICE_VULKAN_RECALL_H

#include <stdbool.h>
#include <stdint.h>

struct vk_device;

enum { VK_RECALL_VALUES = 16 }; // kernels with more constants are not remembered

// Any thread. `what` identifies the kernel's code, or the program whose queues are counted. False: nothing known.
bool vk_recall_find(struct vk_device *device, uint64_t what, uint32_t *values, uint32_t count);
void vk_recall_note(struct vk_device *device, uint64_t what, const uint32_t *values, uint32_t count);

// Adds what this process has noted to the file.
void vk_recall_save(struct vk_device *device);

#endif
