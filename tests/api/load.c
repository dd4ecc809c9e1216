// SPDX-License-Identifier: Apache-2.0
// Loading the platform and querying it does not load a Vulkan driver, and its answers are
// consistent with its devices.
#include "test.h"

#include <dlfcn.h>

static bool driver_loaded(void)
{
    char line[4096];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, "libvulkan_") != NULL || strstr(line, "libGLX_nvidia") != NULL;
    if (maps)
        fclose(maps);
    return found;
}

int main(void)
{
    cl_platform_id platform;
    char text[4096], of_device[4096];
    CHECK_OK(clGetPlatformIDs(1, &platform, NULL));
    CHECK_OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
    CHECK_OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL));
    CHECK(!driver_loaded());
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof of_device, of_device, NULL));
    for (char *name = strtok(text, " "); name; name = strtok(NULL, " "))
        CHECK(strstr(of_device, name) != NULL);
    return test_close();
}
