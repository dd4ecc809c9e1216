// SPDX-License-Identifier: Apache-2.0
// What the completion thread waits for: the timelines of all queues with work in flight, and one more
// that wakes it.
//
// The driver waits for all of them together if it can do so asleep. Otherwise the thread waits for one
// queue at a time in short slices, and looks at the others between them. So it does with the queues of
// several devices, which no call of Vulkan waits for.
#include "command/schedule.h"
#include "util/gate.h"

enum { WATCH_NS = 1000000, SLICE_NS = 100000 };

static struct {
    struct vk_wait bell; // reached: the thread wakes
    bool waits;          // the thread is in the driver, and nobody has tried to ring
    bool rung;
} watch;

// The queues of `device` with work in flight that the thread looks after.
static uint32_t collect(const struct vk_device *device, struct vk_wait *waits, uint32_t most)
{
    uint32_t count = 0;
    for (struct cmd_queue *queue = cmd_schedule.queues; queue && count < most; queue = queue->next)
        if (queue->device == device && cmd_queue_needs_thread(queue))
            waits[count++] = (struct vk_wait){queue->timeline, cmd_in_flight_value(queue)};
    return count;
}

// Whether something may complete that the thread, waiting for `device` alone, would not see.
static bool any_elsewhere(const struct vk_device *device)
{
    for (const struct cmd_queue *queue = cmd_schedule.queues; queue; queue = queue->next)
        if (queue->device != device && queue->in_flight)
            return true;
    return false;
}

static bool one_queue(void)
{
    return cmd_schedule.queues && !cmd_schedule.queues->next;
}

// Waits for all queues of the device. The bell belongs to this wait alone: devices come and go.
static void wait_together(struct cmd_queue *first, uint64_t ns)
{
    struct vk_device *device = first->device;
    struct vk_wait waits[VK_WAIT_MAX];
    struct vk_timeline *bell;
    uint32_t count = collect(device, waits + 1, VK_WAIT_MAX - 1);
    if (any_elsewhere(device))
        ns = min_u64(ns, SLICE_NS);
    if (vk_timeline_create(device, &bell) != VK_SUCCESS) {
        cmd_wait_in_flight(first, cmd_in_flight_value(first), min_u64(ns, SLICE_NS), false);
        return;
    }
    waits[0] = watch.bell = (struct vk_wait){bell, bell->value + 1};
    watch.waits = true;
    watch.rung = false;
    first->waiters++; // keeps the device
    pthread_mutex_unlock(&cmd_mutex);
    vk_timeline_wait_any(device, waits, count + 1, ns);
    pthread_mutex_lock(&cmd_mutex);
    first->waiters--;
    vk_timeline_release(device, bell, bell->value + watch.rung);
    watch.waits = false;
}

bool cmd_watch(uint64_t ns)
{
    struct cmd_queue *first = !gate_ended() && cmd_needs_watching() ? cmd_oldest_in_flight() : NULL;
    if (!first)
        return false;
    ns = ns ? min_u64(ns, WATCH_NS) : WATCH_NS;
    if (vk_wait_any_sleeps(first->device))
        wait_together(first, ns);
    else
        cmd_wait_in_flight(first, cmd_in_flight_value(first), one_queue() ? ns : min_u64(ns, SLICE_NS), false);
    return true;
}

void cmd_watch_ring(void)
{
    if (!watch.waits)
        return;
    watch.waits = false;
    watch.rung = vk_timeline_signal(watch.bell.timeline->device, watch.bell.timeline, watch.bell.value) == VK_SUCCESS;
}

void cmd_watch_forget(void)
{
    watch.waits = false;
}
