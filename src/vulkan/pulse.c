// SPDX-License-Identifier: Apache-2.0
// See pulse.h.
#include "vulkan/pulse.h"

#include "util/gate.h"
#include "util/thread.h"
#include "vulkan/device.h"
#include "vulkan/ended.h"

#define PERIOD_NS UINT64_C(1000000000)   // of waiting between two questions
#define PATIENCE_NS UINT64_C(6000000000) // of waiting for an answer
// Time that passes between two looks counts up to this: the program may have been stopped.
#define GAP_NS UINT64_C(500000000)
enum { END_TRIES = 100, END_US = 1000 };

void vk_pulse_init(struct vk_device *device)
{
    pthread_mutex_init(&device->pulse.lock, NULL);
}

// The answer is the same for all devices and of no interest, but no driver knows it by itself.
static void *ask(void *data)
{
    struct vk_device *device = data;
    VkPeerMemoryFeatureFlags flags;
    thread_abandonable(true);
    device->fn.GetDeviceGroupPeerMemoryFeatures(device->handle, 0, 0, 0, &flags);
    thread_abandonable(false);
    atomic_store(&device->pulse.answered, true);
    return NULL;
}

static void begin(struct vk_device *device)
{
    struct vk_pulse *pulse = &device->pulse;
    atomic_store(&pulse->answered, false);
    pulse->asked = !thread_start(&pulse->thread, "pumice-pulse", ask, device);
    pulse->silence_ns = 0;
}

static void end(struct vk_pulse *pulse)
{
    pthread_join(pulse->thread, NULL);
    pulse->asked = false;
    pulse->silence_ns = 0;
}

static void lose(struct vk_device *device)
{
    struct vk_pulse *pulse = &device->pulse;
    atomic_store(&pulse->gone, true);
    vk_device_note(device, VK_ERROR_DEVICE_LOST, "the renderer does not answer");
    vk_silent_functions(&device->fn);
    thread_abandon(pulse->thread);
    pulse->asked = false;
}

// The renderer may compile for minutes before it answers.
static void count(struct vk_pulse *pulse)
{
    uint64_t now = thread_now_ns(), passed = now - pulse->seen;
    pulse->seen = now;
    if (pulse->asked && vk_compiles())
        pulse->silence_ns = 0;
    else
        pulse->silence_ns += passed < GAP_NS ? passed : GAP_NS;
}

VkResult vk_pulse_look(struct vk_device *device)
{
    struct vk_pulse *pulse = &device->pulse;
    if (!device->facts->remote || gate_ended())
        return VK_SUCCESS;
    pthread_mutex_lock(&pulse->lock);
    if (pulse->asked && atomic_load(&pulse->answered))
        end(pulse);
    count(pulse);
    if (pulse->asked && pulse->silence_ns > PATIENCE_NS)
        lose(device);
    else if (!pulse->asked && pulse->silence_ns > PERIOD_NS && !atomic_load(&pulse->gone))
        begin(device);
    pthread_mutex_unlock(&pulse->lock);
    return atomic_load(&pulse->gone) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void vk_pulse_end(struct vk_device *device)
{
    struct vk_pulse *pulse = &device->pulse;
    pthread_mutex_lock(&pulse->lock);
    for (int i = 0; i < END_TRIES && pulse->asked && !atomic_load(&pulse->answered); i++)
        thread_sleep_us(END_US);
    if (pulse->asked && atomic_load(&pulse->answered))
        end(pulse);
    else if (pulse->asked)
        thread_abandon(pulse->thread);
    pulse->asked = false;
    pthread_mutex_unlock(&pulse->lock);
}
