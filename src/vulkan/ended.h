// SPDX-License-Identifier: Apache-2.0
// A driver whose functions do nothing and succeed: replaces a device's functions once the process
// is ending, when the real driver may already be unloaded.
//
// Its objects are only numbers, except memory, which the host can use; objects of the real driver
// are never accessed and not freed. It needs no device, so its functions cannot fail.
#ifndef PUMICE_VULKAN_ENDED_H
#define PUMICE_VULKAN_ENDED_H

#include "vulkan/device.h"
#include "vulkan/instance.h"

void vk_ended_functions(struct vk_functions *fn);
// For a driver that no longer answers: objects of both kinds are released, and stay.
void vk_silent_functions(struct vk_functions *fn);
void vk_ended_instance(struct vk_instance_functions *fn); // functions that are called after
                                                          // initialization

#endif
