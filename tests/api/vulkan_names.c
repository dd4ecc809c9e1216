// SPDX-License-Identifier: Apache-2.0
// A program that exports Vulkan's names itself, as unset pointers (as volk and many custom loaders
// do): the library must still find its functions.
#include "test.h"

#include "vulkan/instance.h"

#define POINTER(name) __attribute__((visibility("default"))) void *vk##name;
#define PROC(name) POINTER(name)
#define PROC_NEWER(name, core, suffix, feature) POINTER(name) POINTER(name##KHR) POINTER(name##EXT)
#define PROC_OPTIONAL(name) POINTER(name)
#include "vulkan/procs.def"
VK_INSTANCE_PROCS(POINTER)
POINTER(GetInstanceProcAddr)
POINTER(CreateInstance)
POINTER(EnumerateInstanceVersion)
POINTER(EnumerateInstanceExtensionProperties)
POINTER(EnumerateInstanceLayerProperties)
POINTER(EnumerateDeviceLayerProperties)
POINTER(EnumeratePhysicalDeviceGroups)
POINTER(GetPhysicalDeviceFeatures)
POINTER(GetPhysicalDeviceFormatProperties)
POINTER(GetPhysicalDeviceQueueFamilyProperties2)
POINTER(GetDeviceQueue2)

int main(void)
{
    const size_t global = 16;
    int values[16] = {0};
    test_open();
    cl_program program = test_build("kernel void k(global int *a) { a[get_global_id(0)] = 5; }", "");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(0, sizeof values, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_EQ(values[15], 5);
    CHECK(!vkGetInstanceProcAddr && !vkCreateInstance); // still unset
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    return test_close();
}
