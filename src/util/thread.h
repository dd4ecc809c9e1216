// SPDX-License-Identifier: Apache-2.0
// Threads, locks and clocks: the few things the runtime needs beyond plain pthreads.
//
// Locks are pthread mutexes. Threads are started
// detached-from-signals (all blocked) so that an application's handlers never run on ours.
#ifndef PUMICE_UTIL_THREAD_H
#define PUMICE_UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Nanoseconds of CLOCK_MONOTONIC, the clock that all profiling values are given in.
uint64_t thread_now_ns(void);

// The moment `ns` from now as pthread_cond_timedwait() takes it.
void thread_deadline(uint64_t ns, struct timespec *deadline);

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

// Starts a joinable thread that nobody can cancel; 0 or an errno value.
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data);
// The same with the stack of `size` bytes at `stack`, which must stay until the thread has been joined.
int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data);

// pthread_cond_wait() for a caller whose cancellation is disabled: enables it while waiting. True: the thread has been
// cancelled. It goes on all the same, to leave everything as it should be, and ends itself by thread_end_cancelled().
// With NULL for both: only looks whether it has been.
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex);
void thread_end_cancelled(void) __attribute__((noreturn));

// For looking on what another thread does, for as long as that lives.
struct thread_watch {
    long id;
    clockid_t clock; // of its own time
};
void thread_watch_self(struct thread_watch *watch);
uint64_t thread_used_ns(const struct thread_watch *watch); // of a processor's time
// It computes, or would if it got a processor or what it needs from the disk. False: it sleeps, or
// the system does not tell.
bool thread_wants_to_run(const struct thread_watch *watch);

unsigned thread_processors(void); // that are online, 1 at least
unsigned thread_idle_processors(void); // that nobody uses at this moment; half of them where the system does not tell

// Which one the caller is on; -1: the system does not tell.
int thread_processor(void);
// The caller goes on on another one, and may run on the same ones as before. False: it may run on this one alone.
bool thread_leave_processor(int processor);

// One of 63 bits, never the lowest: the caller's own among as many threads.
uint64_t thread_bit(void);

// Counts the forks between the process that first asked and this one: what was made under another
// number belongs to a parent and must not be touched.
unsigned thread_fork_generation(void);

#endif
