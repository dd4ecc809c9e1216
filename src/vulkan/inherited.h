// SPDX-License-Identifier: Apache-2.0
// What a child of fork() has of its parent's connections to a driver.
#ifndef PUMICE_VULKAN_INHERITED_H
#define PUMICE_VULKAN_INHERITED_H

#include <stdbool.h>

// Makes each open file whose path begins with `prefix` one of /dev/null: what is done to it from now on does not reach the
// parent's, which is the same open file. False: not all of them could be found or replaced.
bool vk_inherited_drop(const char *prefix);

#endif
