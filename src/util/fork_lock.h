// SPDX-License-Identifier: Apache-2.0
// A lock that a fork of another thread waits for, some seconds at most: what it guards is whole in the child then.
//
// The handlers are called by whoever registers them with pthread_atfork(). A thread that forks while it holds the lock
// itself (a driver does so to start a program) does not wait; its child finds the lock free, and not `whole`.
#ifndef PUMICE_UTIL_FORK_LOCK_H
#define PUMICE_UTIL_FORK_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "platform/platform.h"

struct fork_lock {
    pthread_mutex_t mutex;
    _Atomic(pthread_t) holder;
    atomic_bool held; // by `holder`
    bool whole;       // at the last fork nobody held it
};

#define FORK_LOCK {.mutex = PTHREAD_MUTEX_INITIALIZER}

void fork_lock_init(struct fork_lock *lock);
void fork_lock_take(struct fork_lock *lock);
void fork_lock_give(struct fork_lock *lock);

void fork_lock_before(struct fork_lock *lock);
void fork_lock_parent(struct fork_lock *lock);
void fork_lock_child(struct fork_lock *lock);

#endif
