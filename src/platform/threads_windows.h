// SPDX-License-Identifier: Apache-2.0
// The subset of POSIX threads that Pumice uses, implemented with slim locks, condition variables
// and fiber-local storage of Windows. All initial values are 0. windows.h is not included, because
// it defines too many names.
#ifndef PUMICE_PLATFORM_THREADS_WINDOWS_H
#define PUMICE_PLATFORM_THREADS_WINDOWS_H

#include <stdint.h>

typedef struct {
    void *lock;
} pthread_mutex_t;
typedef struct {
    void *variable;
} pthread_cond_t;
typedef struct {
    void *once;
} pthread_once_t;
typedef uint32_t pthread_key_t;
typedef uintptr_t pthread_t; // the thread's ID

#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_ONCE_INIT {0}

// The attributes must be NULL. Once all other threads have been terminated (process_at_detach()),
// locks that they held count as free.
int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

int pthread_cond_init(pthread_cond_t *cond, const void *attributes);
int pthread_cond_destroy(pthread_cond_t *cond);
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *cond);
int pthread_cond_broadcast(pthread_cond_t *cond);

int pthread_once(pthread_once_t *once, void (*fn)(void));

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);

pthread_t pthread_self(void);
int pthread_equal(pthread_t a, pthread_t b);
int pthread_join(pthread_t thread, void **result); // a thread of thread_start(); no result
int pthread_detach(pthread_t thread);

// There is no fork and no cancellation.
enum { PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE };
static inline int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before, (void)parent, (void)child;
    return 0;
}

static inline int pthread_setcancelstate(int state, int *before)
{
    (void)state;
    if (before)
        *before = PTHREAD_CANCEL_DISABLE;
    return 0;
}

#endif
