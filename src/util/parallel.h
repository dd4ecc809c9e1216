// SPDX-License-Identifier: Apache-2.0
// Large memory copies with several threads.
//
// A single thread's memcpy does not reach the bandwidth of memory or of a device's link. A few
// helper threads, started at the first large copy, process one copy at a time. A concurrent second
// copy, a small one, or any copy on a machine with few processors uses a plain memcpy.
#ifndef PUMICE_UTIL_PARALLEL_H
#define PUMICE_UTIL_PARALLEL_H

#include <stddef.h>

// Like memcpy: the ranges must not overlap.
void parallel_copy(void *to, const void *from, size_t size);

#endif
