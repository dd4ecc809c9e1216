// SPDX-License-Identifier: Apache-2.0
// A driver that does nothing, and does it successfully: what devices are given once the process
// ends and the real one may be gone.
//
// Objects made by it are numbers, but for memory, which the host can use; what the real driver made
// is never looked at and stays. Nothing of it needs a device, so nothing of it fails.
#ifndef PUMICE_VULKAN_ENDED_H
#define PUMICE_VULKAN_ENDED_H

#include "vulkan/device.h"
#include "vulkan/instance.h"

void vk_ended_functions(struct vk_functions *fn);
void vk_ended_instance(struct vk_instance_functions *fn); // what is still asked after the start

#endif
