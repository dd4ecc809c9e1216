// SPDX-License-Identifier: Apache-2.0
// Spinning locks, thread bits, forks. See thread.h.
#include "util/thread.h"

#include <stdatomic.h>

enum { LOCK_TRIES = 64, RELAX_MAX = 64 };

static atomic_uint fork_generation;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT, key_once = PTHREAD_ONCE_INIT;
static pthread_key_t number_key;
static bool key_made;

void thread_lock(pthread_mutex_t *mutex)
{
    for (int i = 1; i <= LOCK_TRIES; i++) {
        if (!pthread_mutex_trylock(mutex))
            return;
        for (int n = 0; n < i && n < RELAX_MAX; n++)
            thread_relax();
    }
    pthread_mutex_lock(mutex);
}

static void make_key(void)
{
    key_made = !pthread_key_create(&number_key, NULL);
}

// Uses a key, because leak checkers do not support thread-local variables in a library that is
// loaded late.
uint64_t thread_bit(void)
{
    static atomic_uint threads;
    pthread_once(&key_once, make_key);
    uintptr_t number = key_made ? (uintptr_t)pthread_getspecific(number_key) : 1;
    if (!number) {
        number = 1 + atomic_fetch_add(&threads, 1) % 63;
        pthread_setspecific(number_key, (void *)number);
    }
    return UINT64_C(1) << number;
}

static void fork_in_child(void)
{
    atomic_fetch_add(&fork_generation, 1);
}

static void fork_watch(void)
{
    pthread_atfork(NULL, NULL, fork_in_child);
}

unsigned thread_fork_generation(void)
{
    pthread_once(&fork_once, fork_watch);
    return atomic_load_explicit(&fork_generation, memory_order_relaxed);
}
