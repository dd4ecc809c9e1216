// SPDX-License-Identifier: Apache-2.0
// An unlimited wait on a driver that returns timeouts all the time ends after another call has
// reported that the device is lost.
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

int main(void)
{
    enum { MOST_S = 10 };
    static struct vk_facts facts = {.features.timeline_semaphore = true};
    static struct vk_device device;
    static struct vk_timeline timeline;
    pthread_t thread;
    device.facts = &facts;
    device.fork_generation = thread_fork_generation();
    device.fn.WaitSemaphores = never;
    alarm(MOST_S);
    CHECK(vk_timeline_wait(&device, &timeline, 1, 1000000) == VK_TIMEOUT);
    CHECK(!pthread_create(&thread, NULL, lose, &device));
    CHECK(vk_timeline_wait(&device, &timeline, 1, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
    CHECK(vk_timeline_wait(&device, &timeline, 1, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
    CHECK(!pthread_join(thread, NULL));
    return check_result();
}
