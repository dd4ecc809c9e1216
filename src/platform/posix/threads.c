// SPDX-License-Identifier: Apache-2.0
// Threads and clocks over POSIX threads. See platform.h.
#define _GNU_SOURCE
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { NS_PER_S = 1000000000, TIME_DOMAIN_CLOCK_MONOTONIC = 1 };

// ---- time ----------------------------------------------------------------------------------------

static uint64_t ns_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

uint64_t thread_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ns_of(&now);
}

uint64_t system_seconds(void) { return (uint64_t)time(NULL); }

void thread_sleep_us(uint64_t us)
{
    const struct timespec span = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    nanosleep(&span, NULL);
}

void thread_yield(void) { sched_yield(); }

uint32_t system_time_domain(void) { return TIME_DOMAIN_CLOCK_MONOTONIC; }

uint64_t system_ticks_to_ns(uint64_t ticks) { return ticks; }

#ifdef __APPLE__ // there are no clocks of other threads: uses the process's
thread_clock thread_clock_self(void) { return CLOCK_PROCESS_CPUTIME_ID; }
#else
thread_clock thread_clock_self(void)
{
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock))
        clock = CLOCK_PROCESS_CPUTIME_ID;
    return (thread_clock)(intptr_t)clock;
}
#endif

thread_clock thread_clock_process(void) { return CLOCK_PROCESS_CPUTIME_ID; }

uint64_t thread_clock_ns(thread_clock clock)
{
    struct timespec used = {0, 0};
    clock_gettime((clockid_t)clock, &used);
    return ns_of(&used);
}

uint64_t thread_own_ns(void) { return thread_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// ---- starting ------------------------------------------------------------------------------------

struct start {
    void *(*run)(void *data);
    void *data;
    char name[16]; // the kernel's limit
};

static void set_own_name(const char *name)
{
#if defined(__APPLE__)
    pthread_setname_np(name);
#else
    pthread_setname_np(pthread_self(), name);
#endif
}

// Functions of the application that run here may call pthread_testcancel() or cancel this thread.
static void *begin(void *started)
{
    struct start start = *(struct start *)started;
    free(started);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    if (*start.name)
        set_own_name(start.name);
    return start.run(start.data);
}

static int start_thread(const pthread_attr_t *attributes, pthread_t *thread, const char *name,
                        void *(*run)(void *), void *data)
{
    sigset_t all, before;
    struct start *start = malloc(sizeof *start);
    if (!start)
        return ENOMEM;
    *start = (struct start){.run = run, .data = data};
    if (name)
        strncpy(start->name, name, sizeof start->name - 1);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, attributes, begin, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        free(start);
    return error;
}

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data)
{
    return start_thread(NULL, thread, name, run, data);
}

int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    error = pthread_attr_setstack(&attributes, stack, size);
    if (!error)
        error = start_thread(&attributes, thread, name, run, data);
    pthread_attr_destroy(&attributes);
    return error;
}

// ---- waiting -------------------------------------------------------------------------------------

bool thread_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    ns += (uint64_t)until.tv_nsec;
    until.tv_sec += (time_t)(ns / NS_PER_S);
    until.tv_nsec = (long)(ns % NS_PER_S);
    return !pthread_cond_timedwait(cond, mutex, &until);
}

#ifdef __APPLE__
void thread_cond_init(pthread_cond_t *cond) { pthread_cond_init(cond, NULL); }

bool thread_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t when)
{
    uint64_t now = thread_now_ns();
    return thread_wait_for(cond, mutex, when > now ? when - now : 0);
}
#else
void thread_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

bool thread_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t when)
{
    const struct timespec until = {(time_t)(when / NS_PER_S), (long)(when % NS_PER_S)};
    return !pthread_cond_timedwait(cond, mutex, &until);
}
#endif

// ---- cancellation --------------------------------------------------------------------------------

#ifdef __ANDROID__ // there is no cancellation
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (cond)
        pthread_cond_wait(cond, mutex);
    return false;
}

void thread_end_cancelled(void) { pthread_exit(NULL); }

void thread_abandonable(bool may_end) { (void)may_end; }

void thread_abandon(pthread_t thread) { pthread_detach(thread); }
#else
static void jump_back(void *place)
{
    longjmp(*(jmp_buf *)place, 1);
}

// A thread is not notified of its cancellation in any other way than being cancelled. So this
// allows the cancellation, and jumps out of the cleanup handler. POSIX leaves that undefined; glibc
// and musl run the handler on the thread's stack above this frame, cancel a thread only once, and
// let it end later.
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    jmp_buf place;
    volatile bool cancelled = true;
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_cleanup_push(jump_back, &place);
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

void thread_end_cancelled(void) { pthread_exit(PTHREAD_CANCELED); }

void thread_abandonable(bool may_end)
{
    pthread_setcancelstate(may_end ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE, NULL);
}

void thread_abandon(pthread_t thread)
{
    pthread_cancel(thread);
    pthread_detach(thread);
}
#endif

// ---- watching ------------------------------------------------------------------------------------

void thread_watch_self(struct thread_watch *watch)
{
#ifdef __linux__
    watch->id = syscall(SYS_gettid);
#else
    watch->id = 0;
#endif
    watch->clock = thread_clock_self();
}

uint64_t thread_used_ns(const struct thread_watch *watch) { return thread_clock_ns(watch->clock); }

static bool read_line(const char *path, char *line, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? 0 : read(file, line, size - 1);
    if (file >= 0)
        close(file);
    line[count > 0 ? count : 0] = 0;
    return file >= 0;
}

// proc(5): "id (name) state ..."; the name may contain anything.
bool thread_wants_to_run(const struct thread_watch *watch)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", watch->id);
    if (!read_line(path, line, sizeof line))
        return false;
    const char *end = strrchr(line, ')');
    return end && end[1] == ' ' && (end[2] == 'R' || end[2] == 'D');
}

unsigned thread_count(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) ? 0 : (unsigned)tasks.st_nlink - 2;
}

#ifdef __APPLE__
void thread_at_end(void (*fn)(void *)) { (void)fn; }
#else
extern int __cxa_thread_atexit_impl(void (*fn)(void *), void *data, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

void thread_at_end(void (*fn)(void *))
{
    if (__cxa_thread_atexit_impl)
        __cxa_thread_atexit_impl(fn, NULL, &__dso_handle);
}
#endif

// ---- processors ----------------------------------------------------------------------------------

unsigned thread_processors(void)
{
    static _Atomic(unsigned) known;
    unsigned count = known;
    if (!count) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        known = count = online > 0 ? (unsigned)online : 1;
    }
    return count;
}

// proc(5): three averages, then "runnable/all" threads of the system, including this one.
unsigned thread_idle_processors(void)
{
    unsigned processors = thread_processors(), busy = processors / 2;
    char line[128];
    read_line("/proc/loadavg", line, sizeof line);
    sscanf(line, "%*s %*s %*s %u/", &busy);
    return busy < processors ? processors - busy : 0;
}

#ifdef __linux__
int thread_processor(void) { return sched_getcpu(); }

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
#else
int thread_processor(void) { return -1; }

bool thread_leave_processor(int processor)
{
    (void)processor;
    return false;
}
#endif

uint64_t processor_last_cache(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return size > 0 ? (uint64_t)size : 0;
#else
    return 0;
#endif
}
