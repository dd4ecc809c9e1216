// SPDX-License-Identifier: Apache-2.0
// Large memory copies by several threads.
//
// One thread's memcpy is far below what a machine's memory and a device's link carry. A few helper
// threads, started at the first large copy, share one copy at a time; a second copy at the same
// moment, a small one, or any on a machine with few processors is a plain memcpy.
#ifndef PUMICE_UTIL_PARALLEL_H
#define PUMICE_UTIL_PARALLEL_H

#include <stddef.h>

// As memcpy: the ranges do not overlap.
void parallel_copy(void *to, const void *from, size_t size);

#endif
