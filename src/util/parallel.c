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

enum { HELPERS_MAX = 7, PROCESSORS_MIN = 4, SPINNING_PROCESSORS_MIN = 8, SPIN_NS = 100000 };
#define SLICE ((size_t)128 << 10) // below the size from which memcpy bypasses the caches
#define SHARE ((size_t)256 << 10) // of one thread, at least
#define WORTH (2 * SHARE)

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER; // held by the caller of the job
static struct {
    pthread_mutex_t lock;
    pthread_cond_t start, end;
    unsigned helpers, sleeping, fork_generation;
    bool spins;           // helpers spin for a while before they sleep
    atomic_uint number;   // of the job; written under the lock
    atomic_uint inside;   // helpers in the job; incremented under the lock
    unsigned wanted;      // helpers that may still join
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

// Programs often copy several times in a row; waking a sleeping thread takes as long as copying a
// slice.
static void spin_for_job(unsigned seen)
{
    uint64_t end = thread_now_ns() + SPIN_NS;
    while (atomic_load(&pool.number) == seen && thread_now_ns() < end)
        thread_relax();
}

static void *helper_main(void *unused)
{
    unsigned seen = 0;
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.number == seen || !pool.size || !pool.wanted) {
            seen = pool.number;
            pool.sleeping++;
            pthread_cond_wait(&pool.start, &pool.lock);
            pool.sleeping--;
        }
        seen = pool.number;
        pool.inside++;
        pool.wanted--;
        pthread_mutex_unlock(&pool.lock);
        copy_slices();
        if (atomic_fetch_sub(&pool.inside, 1) == 1) {
            pthread_mutex_lock(&pool.lock);
            pthread_cond_signal(&pool.end);
            pthread_mutex_unlock(&pool.lock);
        }
        if (pool.spins)
            spin_for_job(seen);
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

static void start_helpers(void)
{
    unsigned processors = thread_processors();
    unsigned want = processors < PROCESSORS_MIN ? 0 : processors / 2;
    pool.spins = processors >= SPINNING_PROCESSORS_MIN;
    for (want = want > HELPERS_MAX ? HELPERS_MAX : want; pool.helpers < want; pool.helpers++) {
        pthread_t thread;
        if (thread_start(&thread, "pumice-copy", helper_main, NULL))
            return;
        pthread_detach(thread);
    }
}

// In a forked child the helpers do not exist, and locks may be held by threads that do not exist.
// The caller holds `busy`.
static bool pool_usable(void)
{
    static bool used;
    if (!used)
        pool.fork_generation = thread_fork_generation();
    used = true;
    return pool.fork_generation == thread_fork_generation();
}

// Wakes no more helpers than the job has shares for.
static void begin_job(void *to, const void *from, size_t size)
{
    pthread_mutex_lock(&pool.lock);
    pool.to = to;
    pool.from = from;
    pool.size = size;
    pool.wanted = size / SHARE - 1 < pool.helpers ? (unsigned)(size / SHARE) - 1 : pool.helpers;
    atomic_store(&pool.next, 0);
    pool.number++;
    for (unsigned i = 0; i < pool.wanted && i < pool.sleeping; i++)
        pthread_cond_signal(&pool.start);
    pthread_mutex_unlock(&pool.lock);
}

static void end_job(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.wanted = 0;
    while (atomic_load(&pool.inside))
        pthread_cond_wait(&pool.end, &pool.lock);
    pool.size = 0;
    pthread_mutex_unlock(&pool.lock);
}

// With the helpers, if there are any and they are idle.
static bool copy_together(void *to, const void *from, size_t size)
{
    if (pthread_mutex_trylock(&busy))
        return false;
    bool usable = pool_usable();
    if (usable && !pool.helpers)
        start_helpers();
    if (usable) {
        begin_job(to, from, size);
        copy_slices();
        end_job();
    }
    pthread_mutex_unlock(&busy);
    return usable;
}

void parallel_copy(void *to, const void *from, size_t size)
{
    if (size < WORTH || !copy_together(to, from, size))
        memcpy(to, from, size);
}
