// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: simulates a system without the Vulkan loader.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(name && strstr(name, "libvulkan.so") ? "/nonexistent/libvulkan.so.1" : name, flags);
}
