// SPDX-License-Identifier: Apache-2.0
// Locks of a POSIX system. See platform.h.
#ifndef PUMICE_PLATFORM_THREADS_POSIX_H
#define PUMICE_PLATFORM_THREADS_POSIX_H

#include <pthread.h>

#ifdef __ANDROID__ // its threads cannot be cancelled
enum { PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE };
static inline int pthread_setcancelstate(int state, int *before)
{
    (void)state;
    if (before)
        *before = PTHREAD_CANCEL_DISABLE;
    return 0;
}
#endif

#endif
