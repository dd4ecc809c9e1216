// SPDX-License-Identifier: Apache-2.0
// The memory available to this process: the minimum of the machine's memory and the limits of the
// control groups (containers) of the process.
#ifndef PUMICE_UTIL_HOST_MEMORY_H
#define PUMICE_UTIL_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct host_memory {
    uint64_t total;  // maximum, in bytes
    uint64_t free;   // available now, without swapping
    uint64_t shared; // shared memory used by this process (CPU drivers use it)
};

// `root`: prefix of /proc and /sys, "" except in tests. False: unknown.
bool host_memory_read(const char *root, struct host_memory *memory);

#endif
