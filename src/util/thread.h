// SPDX-License-Identifier: Apache-2.0
// Threads and locks: additions to the platform's functions.
#ifndef PUMICE_UTIL_THREAD_H
#define PUMICE_UTIL_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"

// Hints to the CPU that the caller spins.
static inline void thread_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// For locks that are held so briefly that spinning is better than sleeping; a plain mutex if libc
// has no such type.
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define THREAD_SHORT_LOCK PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define THREAD_SHORT_LOCK PTHREAD_MUTEX_INITIALIZER
#endif

// Spins for some microseconds before sleeping: for locks that are held for less.
void thread_lock(pthread_mutex_t *mutex);

// One of 63 bits, never the lowest, that identifies the calling thread (shared if there are more
// threads).
uint64_t thread_bit(void);

// Number of forks between the first process that called it and this one: objects created under
// another number belong to a parent process and must not be used.
unsigned thread_fork_generation(void);

#endif
