// SPDX-License-Identifier: Apache-2.0
// A lock that fork() in other threads waits for, at most some seconds, so that the data it guards is consistent in the
// child.
//
// Its owner must register the fork handlers with pthread_atfork(). A thread that forks while it holds the lock itself
// (a driver does so to start a program) does not wait; in its child the lock is free and `consistent` is false.
#ifndef PUMICE_UTIL_FORK_LOCK_H
#define PUMICE_UTIL_FORK_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "platform/platform.h"

struct fork_lock {
    pthread_mutex_t mutex;
    _Atomic(pthread_t) holder;
    atomic_bool held; // by `holder`
    bool consistent;  // the lock was free at the last fork
};

#define FORK_LOCK {.mutex = PTHREAD_MUTEX_INITIALIZER}

void fork_lock_init(struct fork_lock *lock);
void fork_lock_take(struct fork_lock *lock);
void fork_lock_give(struct fork_lock *lock);

void fork_lock_before(struct fork_lock *lock);
void fork_lock_parent(struct fork_lock *lock);
void fork_lock_child(struct fork_lock *lock);

#endif
