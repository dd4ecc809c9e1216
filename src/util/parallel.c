// SPDX-License-Identifier: Apache-2.0
// Large memory copies with several threads. See parallel.h.
//
// A job is a range divided into slices; the caller and the helpers take slices from a counter until
// none are left. The caller returns when all slices are copied, so helpers never see a finished
// job.
#include "util/parallel.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "util/thread.h"

enum { HELPERS_MAX = 7, PROCESSORS_MIN = 4 };
#define SLICE ((size_t)512 << 10)
#define WORTH ((size_t)4 << 20)

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER; // held by the caller of the job
static struct {
    pthread_mutex_t lock;
    pthread_cond_t start, end;
    unsigned helpers, fork_generation, number; // number: of the job
    unsigned inside;                           // helpers in the job
    uint8_t *to;
    const uint8_t *from;
    size_t size;
    atomic_size_t next;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .start = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static void copy_slices(void)
{
    for (;;) {
        size_t at = atomic_fetch_add(&pool.next, SLICE);
        if (at >= pool.size)
            return;
        memcpy(pool.to + at, pool.from + at, pool.size - at < SLICE ? pool.size - at : SLICE);
    }
}

static void *helper_main(void *unused)
{
    unsigned seen = 0;
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.number == seen || !pool.size)
            pthread_cond_wait(&pool.start, &pool.lock);
        seen = pool.number;
        pool.inside++;
        pthread_mutex_unlock(&pool.lock);
        copy_slices();
        pthread_mutex_lock(&pool.lock);
        if (--pool.inside == 0)
            pthread_cond_signal(&pool.end);
    }
    return NULL;
}

static void start_helpers(void)
{
    unsigned processors = thread_processors();
    unsigned want = processors < PROCESSORS_MIN ? 0 : processors / 2;
    for (want = want > HELPERS_MAX ? HELPERS_MAX : want; pool.helpers < want; pool.helpers++) {
        pthread_t thread;
        if (thread_start(&thread, "pumice-copy", helper_main, NULL))
            return;
        pthread_detach(thread);
    }
}

// In a forked child the helpers do not exist, and locks may be held by threads that do not exist.
static bool pool_usable(void)
{
    static atomic_bool made;
    if (!atomic_exchange(&made, true))
        pool.fork_generation = thread_fork_generation();
    return pool.fork_generation == thread_fork_generation();
}

void parallel_copy(void *to, const void *from, size_t size)
{
    if (size < WORTH || !pool_usable() || pthread_mutex_trylock(&busy)) {
        memcpy(to, from, size);
        return;
    }
    if (!pool.helpers)
        start_helpers();
    pthread_mutex_lock(&pool.lock);
    pool.to = to;
    pool.from = from;
    pool.size = size;
    atomic_store(&pool.next, 0);
    pool.number++;
    pthread_cond_broadcast(&pool.start);
    pthread_mutex_unlock(&pool.lock);
    copy_slices();
    pthread_mutex_lock(&pool.lock);
    while (pool.inside)
        pthread_cond_wait(&pool.end, &pool.lock);
    pool.size = 0;
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&busy);
}
