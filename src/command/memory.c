// SPDX-License-Identifier: Apache-2.0
// Memory that commands still hold: for their own use, or because the application has released an object that they
// use. If there is no other memory, the caller waits until some of it is free.
#include "command/batch.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/thread.h"

enum { FREEING_US = 100 };
static const uint64_t PATIENCE_NS = 5000000000; // the commands may last long, or wait for their host

// Lets a device's commands go on for a moment. False: none of them can, and no thread frees what some have held.
static bool let_go_on(struct vk_device *device)
{
    struct cmd_queue *queue;
    cmd_lock();
    cmd_flush_all(device);
    bool frees = cmd_others_free(device);
    bool progress = cmd_progress(cmd_on_thread());
    bool in_flight = !progress && cmd_in_flight_on(device, &queue);
    if (in_flight)
        cmd_wait_in_flight(queue, cmd_in_flight_value(queue), CMD_SLICE_NS, true);
    cmd_unlock();
    if (frees && !progress && !in_flight)
        thread_sleep_us(FREEING_US);
    return progress || in_flight || frees;
}

bool cmd_wait_for_memory(struct vk_device *device, uint64_t *end)
{
    VkDeviceSize before, now, reserved;
    if (!*end)
        *end = thread_now_ns() + PATIENCE_NS;
    bool more = device->fork_generation == thread_fork_generation() && vk_device_check(device) == VK_SUCCESS;
    vk_memory_usage(device, &before, &reserved);
    for (now = before; more && now >= before; vk_memory_usage(device, &now, &reserved))
        more = !gate_ended() && thread_now_ns() < *end && let_go_on(device);
    return now < before && thread_now_ns() < *end;
}

VkResult cmd_buffer_create(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                           struct vk_buffer *buffer)
{
    uint64_t end = 0;
    VkResult result;
    do
        result = vk_buffer_create(device, kind, size, buffer);
    while ((result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) &&
           cmd_wait_for_memory(device, &end));
    return result;
}
