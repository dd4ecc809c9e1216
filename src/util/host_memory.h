// SPDX-License-Identifier: Apache-2.0
// How much of the machine's memory this process may have: what the machine has, and the limits of
// the control groups (containers) that the process is in, the tightest of all.
#ifndef PUMICE_UTIL_HOST_MEMORY_H
#define PUMICE_UTIL_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct host_memory {
    uint64_t total;  // bytes that there can be at most
    uint64_t free;   // that could be had now, without swapping
    uint64_t shared; // that this process has in use of shared kinds (drivers for CPUs take those)
};

// `root` comes before /proc and /sys: "" but for tests. False: the system does not say.
bool host_memory_read(const char *root, struct host_memory *memory);

#endif
