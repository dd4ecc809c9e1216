// SPDX-License-Identifier: Apache-2.0
// Locks of a POSIX system. See platform.h.
#ifndef PUMICE_PLATFORM_THREADS_POSIX_H
#define PUMICE_PLATFORM_THREADS_POSIX_H

#include <pthread.h>

#endif
