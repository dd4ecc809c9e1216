// SPDX-License-Identifier: Apache-2.0
// An unlimited wait on a driver that returns timeouts all the time ends after another call has
// reported that the device is lost, and also if only the queue would report it.
#include "check.h"

#include <pthread.h>
#include <unistd.h>

#include "util/thread.h"
#include "vulkan/submit.h"

static VkResult VKAPI_CALL never(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t ns)
{
    (void)device, (void)info;
    usleep(ns < 1000000 ? (useconds_t)(ns / 1000) : 1000);
    return VK_TIMEOUT;
}

static void *lose(void *device)
{
    usleep(50000);
    vk_device_note(device, VK_ERROR_DEVICE_LOST, "a submission");
    return NULL;
}

// The program only reads.
static VkResult VKAPI_CALL read_nothing(VkDevice device, VkSemaphore semaphore, uint64_t *value)
{
    (void)device, (void)semaphore;
    *value = 0;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL lost_on_submission(VkQueue queue, uint32_t count, const VkSubmitInfo *info, VkFence fence)
{
    (void)queue, (void)info, (void)fence;
    CHECK(count == 0);
    return VK_ERROR_DEVICE_LOST;
}

static void make(struct vk_device *device, const struct vk_facts *facts, bool queue_reports)
{
    *device = (struct vk_device){.facts = facts, .fork_generation = thread_fork_generation(), .copy_queue_count = queue_reports};
    device->fn.WaitSemaphores = never;
    device->fn.GetSemaphoreCounterValue = read_nothing;
    device->fn.QueueSubmit = lost_on_submission;
    device->copy_queues[0].used = true;
    pthread_mutex_init(&device->copy_queues[0].lock, NULL);
}

int main(void)
{
    enum { MOST_S = 10 };
    uint64_t value;
    static struct vk_facts facts = {.features.timeline_semaphore = true};
    static struct vk_device device;
    static struct vk_timeline timeline;
    pthread_t thread;
    make(&device, &facts, false);
    alarm(MOST_S);
    CHECK(vk_timeline_wait(&device, &timeline, 1, 1000000) == VK_TIMEOUT);
    CHECK(!pthread_create(&thread, NULL, lose, &device));
    CHECK(vk_timeline_wait(&device, &timeline, 1, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
    CHECK(vk_timeline_wait(&device, &timeline, 1, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
    CHECK(!pthread_join(thread, NULL));

    make(&device, &facts, true);
    CHECK(vk_timeline_wait(&device, &timeline, 1, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
    make(&device, &facts, true);
    struct vk_wait waits[] = {{&timeline, 1}, {&timeline, 1}};
    while (vk_timeline_wait_any(&device, waits, 2, UINT64_MAX) == VK_TIMEOUT)
        ;
    CHECK(vk_device_check(&device) == VK_ERROR_DEVICE_LOST);
    make(&device, &facts, true);
    while (vk_timeline_value(&device, &timeline, &value) == VK_SUCCESS)
        ;
    CHECK(vk_device_check(&device) == VK_ERROR_DEVICE_LOST);
    return check_result();
}
