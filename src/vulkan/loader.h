// SPDX-License-Identifier: Apache-2.0
// The Vulkan loader, opened at run time. The only place that knows its file name.
//
// It is not linked: a program may define vkGetInstanceProcAddr or any other Vulkan name itself (a
// static loader, or function pointers as volk declares), and the dynamic linker would bind our
// calls to that.
#ifndef PUMICE_VULKAN_LOADER_H
#define PUMICE_VULKAN_LOADER_H

#include "vulkan/vk.h"

// Opens it at the first call. NULL, or an error message that says what to install; valid until the
// process ends.
const char *vk_loader_open(void);

// A function of an instance, or a global one (instance NULL). NULL: not found.
PFN_vkVoidFunction vk_loader_function(VkInstance instance, const char *name);

// Checks a function returned by GetDeviceProcAddr for `name`: if it is the program's own function
// of that name, returns the loader's instead.
PFN_vkVoidFunction vk_loader_checked(PFN_vkVoidFunction found, const char *name);

#endif
