// SPDX-License-Identifier: Apache-2.0
// The completion thread's wait for the device: for the timelines of all queues with work in flight,
// and for another one that wakes it.
//
// If the driver can sleep in a wait for several timelines, the thread waits for all of them at
// once. Otherwise, and for queues of several devices, which Vulkan cannot wait for together, the
// thread waits for one queue at a time in short slices and polls the others in between.
#include "command/schedule.h"
#include "util/gate.h"

enum { WATCH_NS = 1000000, SLICE_NS = 100000 };

static struct {
    struct vk_wait wakeup; // its value is signalled to wake the thread
    bool waits;            // the thread is in the driver, and it has not been woken
    bool woken;
} watch;

// Collects the queues of `device` with work in flight that the thread must watch.
static uint32_t collect(const struct vk_device *device, struct vk_wait *waits, uint32_t most)
{
    uint32_t count = 0;
    for (struct cmd_queue *queue = cmd_schedule.queues; queue && count < most; queue = queue->next)
        if (queue->device == device && cmd_queue_needs_thread(queue))
            waits[count++] = (struct vk_wait){queue->timeline, cmd_in_flight_value(queue)};
    return count;
}

// Whether other devices have work in flight, which a wait for `device` does not notice.
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

// Waits for all queues of the device. Each wait creates a new wakeup timeline, because devices may
// be closed in between.
static void wait_together(struct cmd_queue *first, uint64_t ns)
{
    struct vk_device *device = first->device;
    struct vk_wait waits[VK_WAIT_MAX];
    struct vk_timeline *wakeup;
    uint32_t count = collect(device, waits + 1, VK_WAIT_MAX - 1);
    if (any_elsewhere(device))
        ns = min_u64(ns, SLICE_NS);
    if (vk_timeline_create(device, &wakeup) != VK_SUCCESS) {
        cmd_wait_in_flight(first, cmd_in_flight_value(first), min_u64(ns, SLICE_NS), false);
        return;
    }
    waits[0] = watch.wakeup = (struct vk_wait){wakeup, wakeup->value + 1};
    watch.waits = true;
    watch.woken = false;
    first->waiters++; // so that the device is not closed
    pthread_mutex_unlock(&cmd_mutex);
    vk_timeline_wait_any(device, waits, count + 1, ns);
    pthread_mutex_lock(&cmd_mutex);
    first->waiters--;
    vk_timeline_release(device, wakeup, wakeup->value + watch.woken);
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

void cmd_watch_interrupt(void)
{
    if (!watch.waits)
        return;
    watch.waits = false;
    watch.woken = vk_timeline_signal(watch.wakeup.timeline->device, watch.wakeup.timeline,
                                     watch.wakeup.value) == VK_SUCCESS;
}

void cmd_watch_forget(void)
{
    watch.waits = false;
}
