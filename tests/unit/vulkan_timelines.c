// SPDX-License-Identifier: Apache-2.0
// Waiting for one of several timelines: the host may signal any of them at any time; and the CPU
// time of such waits on drivers that spin.
#include "vulkan_device.h"

#include <pthread.h>
#include <unistd.h>

#include "util/thread.h"
#include "vulkan/submit.h"

enum { TIMELINES = 5, LONG_NS = 1000000000, SHORT_NS = 2000000, SPIN_ROUNDS = 200 };

static struct vk_device *device;
static struct vk_wait waits[TIMELINES];

static void *signal_one(void *timeline)
{
    struct vk_wait *wait = timeline;
    usleep(3000);
    CHECK(vk_timeline_signal(device, wait->timeline, wait->value) == VK_SUCCESS);
    return NULL;
}

// Waits for all timelines, even if the driver spins.
static VkResult wait_together(uint64_t ns)
{
    atomic_store(&device->wait_any_spins, false);
    return vk_timeline_wait_any(device, waits, TIMELINES, ns);
}

// The wait returns when one timeline is signalled, or immediately if it already is; the values of
// the others do not change.
static void check_each(void)
{
    uint64_t value = 0;
    for (int i = 0; i < TIMELINES; i++) {
        pthread_t thread;
        VkResult result = VK_TIMEOUT;
        pthread_create(&thread, NULL, signal_one, &waits[i]);
        while (result == VK_TIMEOUT)
            result = wait_together(LONG_NS);
        CHECK(result == VK_SUCCESS);
        CHECK(vk_timeline_value(device, waits[i].timeline, &value) == VK_SUCCESS && value == waits[i].value);
        CHECK(wait_together(LONG_NS) == VK_SUCCESS);
        pthread_join(thread, NULL);
        waits[i].value++;
        CHECK(wait_together(SHORT_NS) == VK_TIMEOUT);
    }
}

// A driver that spins is detected; later waits use no CPU time.
static void check_cpu(void)
{
    thread_clock clock = thread_clock_self();
    for (int i = 0; i < SPIN_ROUNDS && vk_wait_any_sleeps(device); i++)
        vk_timeline_wait_any(device, waits, TIMELINES, SHORT_NS);
    uint64_t cpu = thread_clock_ns(clock), wall = thread_now_ns();
    for (int i = 0; i < SPIN_ROUNDS; i++)
        vk_timeline_wait_any(device, waits, TIMELINES, SHORT_NS);
    cpu = thread_clock_ns(clock) - cpu;
    wall = thread_now_ns() - wall;
    printf("%s: %.1f%% of a core\n", vk_wait_any_sleeps(device) ? "all" : "the first", 100.0 * (double)cpu / (double)wall);
    CHECK(cpu < wall / 2);
}

int main(void)
{
    device = test_device();
    if (!device->facts->features.timeline_semaphore)
        return 77;
    for (int i = 0; i < TIMELINES; i++) {
        CHECK(vk_timeline_create(device, &waits[i].timeline) == VK_SUCCESS);
        waits[i].value = waits[i].timeline->value + 1;
    }
    check_each();
    check_cpu();
    for (int i = 0; i < TIMELINES; i++)
        vk_timeline_release(device, waits[i].timeline, waits[i].value - 1);
    vk_device_close(device);
    return test_result();
}
