// SPDX-License-Identifier: Apache-2.0
// Finds out that the other half of a driver is gone.
//
// Venus passes Vulkan's calls to a renderer in another process. If that process ends, nothing tells
// the driver, and no wait ends any more; a call that needs an answer ends the program by abort()
// after a few seconds. So while something waits, the renderer is asked a question from time to
// time, by a thread of its own. Without an answer the device is lost: its functions do nothing from
// then on, and that thread ends inside the driver's call.
#ifndef PUMICE_VULKAN_PULSE_H
#define PUMICE_VULKAN_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"
#include "vulkan/vk.h"

struct vk_device;

struct vk_pulse {
    pthread_mutex_t lock; // guards all but the atomic ones
    pthread_t thread;     // asks
    bool asked;
    atomic_bool answered;
    uint64_t seen;       // when the last look was
    uint64_t silence_ns; // of waiting: since the question, or without one
    atomic_bool gone;
};

void vk_pulse_init(struct vk_device *device);
// Call about ten times a second while waiting. VK_ERROR_DEVICE_LOST: the renderer is gone.
VkResult vk_pulse_look(struct vk_device *device);
// No question is under way any more, if the driver can answer it.
void vk_pulse_end(struct vk_device *device);

#endif
