// SPDX-License-Identifier: Apache-2.0
// Threads and locks: the few things the runtime needs beyond the platform's.
#ifndef PUMICE_UTIL_THREAD_H
#define PUMICE_UTIL_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"

// Tells the processor that the caller spins.
static inline void thread_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// For locks that are held for so short that to spin beats to sleep; where libc has none, a plain one.
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define THREAD_SHORT_LOCK PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define THREAD_SHORT_LOCK PTHREAD_MUTEX_INITIALIZER
#endif

// Spins for some microseconds before it sleeps: for locks that are held for less.
void thread_lock(pthread_mutex_t *mutex);

// One of 63 bits, never the lowest: the caller's own among as many threads.
uint64_t thread_bit(void);

// Counts the forks between the process that first asked and this one: what was made under another
// number belongs to a parent and must not be touched.
unsigned thread_fork_generation(void);

#endif
