// SPDX-License-Identifier: Apache-2.0
// Locks that are consistent across fork(). See fork_lock.h.
#include "util/fork_lock.h"

#include "platform/platform.h"

enum { POLL_US = 1000, POLLS = 3000 };

void fork_lock_init(struct fork_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
    atomic_store(&lock->held, false);
    lock->consistent = true;
}

void fork_lock_take(struct fork_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    atomic_store(&lock->holder, pthread_self());
    atomic_store(&lock->held, true);
}

void fork_lock_give(struct fork_lock *lock)
{
    atomic_store(&lock->held, false);
    pthread_mutex_unlock(&lock->mutex);
}

void fork_lock_before(struct fork_lock *lock)
{
    bool own = atomic_load(&lock->held) && pthread_equal(atomic_load(&lock->holder), pthread_self());
    lock->consistent = false;
    for (int i = 0; i < POLLS && !own && !lock->consistent; i++) {
        lock->consistent = !pthread_mutex_trylock(&lock->mutex);
        if (!lock->consistent)
            thread_sleep_us(POLL_US);
    }
}

void fork_lock_parent(struct fork_lock *lock)
{
    if (lock->consistent)
        pthread_mutex_unlock(&lock->mutex);
}

void fork_lock_child(struct fork_lock *lock)
{
    bool consistent = lock->consistent;
    fork_lock_init(lock);
    lock->consistent = consistent;
}
