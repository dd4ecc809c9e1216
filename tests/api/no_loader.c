// SPDX-License-Identifier: Apache-2.0
// A system without the Vulkan loader: there is a platform without devices, and the log says what to
// install.
#define _GNU_SOURCE
#include "test.h"

#include <dlfcn.h>

// Replaces dlopen() for the library. On Windows, tests/windows/run.sh hides the loader instead.
#ifndef _WIN32
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(name && strstr(name, "libvulkan.so") ? "/nonexistent/libvulkan.so.1" : name, flags);
}
#endif

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_uint count = 5;
    cl_int code;
    char name[64];
    setenv("PUMICE_DEBUG", "vulkan", 1);
    FILE *log = test_log();
    CHECK_OK(clGetPlatformIDs(1, &platform, NULL));
    CHECK_OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    for (int i = 0; i < 2; i++)
        CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count), CL_DEVICE_NOT_FOUND);
    CHECK(!clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &code));
    CHECK_EQ(code, CL_DEVICE_NOT_FOUND);
    CHECK_EQ(test_log_count(log, "no Vulkan loader", "install"), 1);
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
