// SPDX-License-Identifier: Apache-2.0
// The Vulkan loader, opened at run time. The one place that knows how the system names it.
//
// It is not linked: a program may define vkGetInstanceProcAddr or any other name of Vulkan's API
// itself (a static loader, pointers as volk has them), and the dynamic linker would bind us to that.
#ifndef PUMICE_VULKAN_LOADER_H
#define PUMICE_VULKAN_LOADER_H

#include "vulkan/vk.h"

// Opens it at the first call. NULL, or what is wrong and what to install: valid for the process.
const char *vk_loader_open(void);

// A function of an instance, or one that needs none (instance NULL). NULL: there is none.
PFN_vkVoidFunction vk_loader_function(VkInstance instance, const char *name);

// What a driver's or the loader's GetDeviceProcAddr has found for `name`, or the loader's own function
// where the program's of the same name was found instead.
PFN_vkVoidFunction vk_loader_checked(PFN_vkVoidFunction found, const char *name);

#endif
