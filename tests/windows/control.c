// SPDX-License-Identifier: Apache-2.0
// The control of leave.c: a Vulkan program without OpenCL that calls ExitProcess while its other
// threads wait for the device. Its exit status is its own, unless Wine and the driver cannot end a
// process in this way. Wine 8 with glibc's pthread_exit() cannot: Wine exits a thread from the top
// of its stack while the thread waits inside the driver, and glibc then calls the cleanup handlers
// of the abandoned frames.
#define VK_NO_PROTOTYPES
#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>
#include <windows.h>

enum { STATUS = 42, THREADS = 8 };

static PFN_vkGetInstanceProcAddr instance_proc;
static PFN_vkWaitForFences wait_for_fences;
static VkDevice device;
static VkFence fence; // never signalled
static volatile LONG running;

#define INSTANCE_PROC(instance, name) ((PFN_##name)(uintptr_t)instance_proc(instance, #name))

static void expect(int ok, const char *what)
{
    if (ok)
        return;
    printf("%s failed\n", what);
    exit(1);
}

static void open_device(void)
{
    HMODULE library = LoadLibraryA("vulkan-1.dll");
    expect(library != NULL, "LoadLibrary");
    instance_proc = (PFN_vkGetInstanceProcAddr)(uintptr_t)GetProcAddress(library, "vkGetInstanceProcAddr");

    VkInstance instance;
    const VkInstanceCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    expect(!INSTANCE_PROC(NULL, vkCreateInstance)(&plain, NULL, &instance), "vkCreateInstance");
    uint32_t count = 1;
    VkPhysicalDevice physical;
    expect(INSTANCE_PROC(instance, vkEnumeratePhysicalDevices)(instance, &count, &physical) >= 0 && count, "vkEnumeratePhysicalDevices");

    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    expect(!INSTANCE_PROC(instance, vkCreateDevice)(physical, &info, NULL, &device), "vkCreateDevice");
    const VkFenceCreateInfo unsignalled = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    expect(!INSTANCE_PROC(instance, vkCreateFence)(device, &unsignalled, NULL, &fence), "vkCreateFence");
    wait_for_fences = INSTANCE_PROC(instance, vkWaitForFences);
}

static unsigned __stdcall work(void *data)
{
    (void)data;
    InterlockedIncrement(&running);
    wait_for_fences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    return 0;
}

int main(void)
{
    open_device();
    for (int i = 0; i < THREADS; i++)
        _beginthreadex(NULL, 0, work, NULL, 0, NULL);
    while (running < THREADS)
        Sleep(1);
    Sleep(200); // until they wait
    ExitProcess(STATUS);
}
