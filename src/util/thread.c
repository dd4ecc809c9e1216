// SPDX-License-Identifier: Apache-2.0
// Threads, locks and clocks over pthreads. See thread.h.
#define _GNU_SOURCE
#include "util/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000, LOCK_TRIES = 64, RELAX_MOST = 64 };

static atomic_uint fork_generation;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT, key_once = PTHREAD_ONCE_INIT;
static pthread_key_t number_key;
static bool key_made;

uint64_t thread_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void thread_lock(pthread_mutex_t *mutex)
{
    for (int i = 1; i <= LOCK_TRIES; i++) {
        if (!pthread_mutex_trylock(mutex))
            return;
        for (int n = 0; n < i && n < RELAX_MOST; n++)
            thread_relax();
    }
    pthread_mutex_lock(mutex);
}

struct start {
    void *(*run)(void *data);
    void *data;
};

// Functions of the application's that run here may cancel the thread that they are on.
static void *begin(void *started)
{
    struct start start = *(struct start *)started;
    free(started);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    return start.run(start.data);
}

static int start_with(const pthread_attr_t *attributes, pthread_t *thread, const char *name, void *(*run)(void *), void *data)
{
    sigset_t all, before;
    struct start *start = malloc(sizeof *start);
    if (!start)
        return ENOMEM;
    *start = (struct start){run, data};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, attributes, begin, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        free(start);
    if (!error && name) {
        char short_name[16] = {0}; // the kernel's limit
        strncpy(short_name, name, sizeof short_name - 1);
        pthread_setname_np(*thread, short_name);
    }
    return error;
}

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data)
{
    return start_with(NULL, thread, name, run, data);
}

int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    error = pthread_attr_setstack(&attributes, stack, size);
    if (!error)
        error = start_with(&attributes, thread, name, run, data);
    pthread_attr_destroy(&attributes);
    return error;
}

// ---- cancellation -------------------------------------------------------------------------------

static void land(void *place)
{
    longjmp(*(jmp_buf *)place, 1);
}

// Nothing tells a thread that it has been cancelled but the cancellation itself. So this lets it
// happen, and jumps out of the cleanup handler. POSIX leaves that undefined; glibc and musl run the
// handler on the thread's stack above this frame, cancel a thread once, and let it end later.
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    jmp_buf place;
    volatile bool cancelled = true;
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_cleanup_push(land, &place);
    if (!setjmp(place)) {
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        if (cond)
            pthread_cond_wait(cond, mutex); // holds the mutex again when cancelled
        else
            pthread_testcancel();
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        cancelled = false;
    }
    pthread_cleanup_pop(0);
    pthread_setcanceltype(type, NULL);
    return cancelled;
}

void thread_end_cancelled(void)
{
    pthread_exit(PTHREAD_CANCELED);
}

static void make_key(void)
{
    key_made = !pthread_key_create(&number_key, NULL);
}

void thread_deadline(uint64_t ns, struct timespec *deadline)
{
    clock_gettime(CLOCK_REALTIME, deadline);
    ns += (uint64_t)deadline->tv_nsec;
    deadline->tv_sec += (time_t)(ns / 1000000000);
    deadline->tv_nsec = (long)(ns % 1000000000);
}

void thread_watch_self(struct thread_watch *watch)
{
    watch->id = syscall(SYS_gettid);
    if (pthread_getcpuclockid(pthread_self(), &watch->clock))
        watch->clock = CLOCK_PROCESS_CPUTIME_ID;
}

uint64_t thread_used_ns(const struct thread_watch *watch)
{
    struct timespec used = {0, 0};
    clock_gettime(watch->clock, &used);
    return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

// proc(5): "id (name) state ...", where the name may hold anything.
bool thread_wants_to_run(const struct thread_watch *watch)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", watch->id);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t count = read(file, line, sizeof line - 1);
    close(file);
    line[count > 0 ? count : 0] = 0;
    const char *end = strrchr(line, ')');
    return end && end[1] == ' ' && (end[2] == 'R' || end[2] == 'D');
}

unsigned thread_processors(void)
{
    static atomic_uint known;
    unsigned count = known;
    if (!count) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        known = count = online > 0 ? (unsigned)online : 1;
    }
    return count;
}

// proc(5): three averages, "runnable/all" threads of the system, this one among them.
unsigned thread_idle_processors(void)
{
    unsigned processors = thread_processors(), busy = processors / 2;
    char line[128];
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? 0 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    line[count > 0 ? count : 0] = 0;
    sscanf(line, "%*s %*s %*s %u/", &busy);
    return busy < processors ? processors - busy : 0;
}

int thread_processor(void)
{
    return sched_getcpu();
}

bool thread_leave_processor(int processor)
{
    cpu_set_t before, others;
    if (sched_getaffinity(0, sizeof before, &before))
        return false;
    others = before;
    CPU_CLR((size_t)processor, &others);
    if (!CPU_COUNT(&others) || sched_setaffinity(0, sizeof others, &others))
        return false;
    sched_setaffinity(0, sizeof before, &before);
    return true;
}

// By a key: variables of a thread are more than leak checkers bear in a library opened late.
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
