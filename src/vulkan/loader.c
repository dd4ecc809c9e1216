// SPDX-License-Identifier: Apache-2.0
// Opens the Vulkan loader. See loader.h.
//
// The loader itself is affected by names that the program defines: if it was linked without
// -Bsymbolic, it returns the program's vkCreateInstance for its own. So its exported functions are
// looked up through its library handle. A driver can take the loader's place (macOS).
#include "vulkan/loader.h"

#include <stdio.h>

#include "platform/platform.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library; // never closed: drivers have started threads in the process
static PFN_vkGetInstanceProcAddr get;
static char missing[512];

static PFN_vkVoidFunction exported(const char *name)
{
    return (PFN_vkVoidFunction)library_find(library, name);
}

static void open_library(void)
{
    static const char *const names[] = {LIBRARY_VULKAN};
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
        library = library_open(names[i]);
        if (!i && !library) // the usual name, for the message
            snprintf(missing, sizeof missing, "%s: " LIBRARY_VULKAN_INSTALL, library_error());
    }
    if (!library)
        return;
    get = (PFN_vkGetInstanceProcAddr)exported("vkGetInstanceProcAddr");
    if (!get) // a driver
        get = (PFN_vkGetInstanceProcAddr)exported("vk_icdGetInstanceProcAddr");
    if (!get)
        snprintf(missing, sizeof missing, "the Vulkan loader lacks vkGetInstanceProcAddr");
}

const char *vk_loader_open(void)
{
    pthread_once(&once, open_library);
    return get ? NULL : missing;
}

PFN_vkVoidFunction vk_loader_function(VkInstance instance, const char *name)
{
    if (vk_loader_open())
        return NULL;
    PFN_vkVoidFunction own = exported(name);
    return own ? own : get(instance, name);
}

PFN_vkVoidFunction vk_loader_checked(PFN_vkVoidFunction found, const char *name)
{
    if (!found || found != (PFN_vkVoidFunction)library_find_program(name))
        return found;
    PFN_vkVoidFunction own = exported(name);
    return own ? own : found;
}
