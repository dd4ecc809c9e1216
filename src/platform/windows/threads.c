// SPDX-License-Identifier: Apache-2.0
// Threads, locks and clocks on Windows. See platform.h and threads_windows.h.
#include "platform/windows/windows_private.h"
#include "platform/platform.h"

#include <errno.h>
#include <process.h>
#include <stdlib.h>

enum { NS_PER_S = 1000000000, TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER = 3 };
#define UNIX_EPOCH UINT64_C(116444736000000000) // in units of 100 ns since 1601

_Static_assert(sizeof(SRWLOCK) == sizeof(pthread_mutex_t), "a mutex is a slim lock");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(pthread_cond_t), "condition variables are those of Windows");
_Static_assert(sizeof(INIT_ONCE) == sizeof(pthread_once_t), "once is Windows' own");

// ---- time ----------------------------------------------------------------------------------------

static uint64_t ticks_per_second(void)
{
    static _Atomic(uint64_t) known;
    uint64_t rate = known;
    if (!rate) {
        LARGE_INTEGER frequency;
        QueryPerformanceFrequency(&frequency);
        known = rate = (uint64_t)frequency.QuadPart;
    }
    return rate;
}

uint64_t system_ticks_to_ns(uint64_t ticks)
{
    uint64_t rate = ticks_per_second();
    return ticks / rate * NS_PER_S + ticks % rate * NS_PER_S / rate;
}

uint64_t thread_now_ns(void)
{
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    return system_ticks_to_ns((uint64_t)now.QuadPart);
}

uint32_t system_time_domain(void) { return TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER; }

static uint64_t number_of(FILETIME time) { return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime; }

uint64_t system_seconds(void)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return (number_of(now) - UNIX_EPOCH) / 10000000;
}

void thread_sleep_us(uint64_t us)
{
    if (us)
        Sleep((DWORD)((us + 999) / 1000));
    else
        SwitchToThread();
}

void thread_yield(void) { SwitchToThread(); }

// A thread's ID, which is not reused while the thread lives. 0: the process.
thread_clock thread_clock_self(void) { return GetCurrentThreadId(); }

thread_clock thread_clock_process(void) { return 0; }

static uint64_t used_ns(BOOL known, FILETIME kernel, FILETIME user)
{
    return known ? (number_of(kernel) + number_of(user)) * 100 : 0;
}

uint64_t thread_clock_ns(thread_clock clock)
{
    FILETIME begin, end, kernel = {0}, user = {0};
    if (!clock)
        return used_ns(GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user), kernel, user);
    HANDLE thread = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)clock);
    BOOL known = thread && GetThreadTimes(thread, &begin, &end, &kernel, &user);
    if (thread)
        CloseHandle(thread);
    return used_ns(known, kernel, user);
}

uint64_t thread_own_ns(void)
{
    FILETIME begin, end, kernel = {0}, user = {0};
    return used_ns(GetThreadTimes(GetCurrentThread(), &begin, &end, &kernel, &user), kernel, user);
}

// ---- locks ---------------------------------------------------------------------------------------

atomic_bool process_single_threaded;

static bool is_single_threaded(void)
{
    return atomic_load_explicit(&process_single_threaded, memory_order_relaxed);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    (void)attributes;
    InitializeSRWLock((SRWLOCK *)mutex);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (!is_single_threaded())
        AcquireSRWLockExclusive((SRWLOCK *)mutex);
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return is_single_threaded() || TryAcquireSRWLockExclusive((SRWLOCK *)mutex) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (!is_single_threaded())
        ReleaseSRWLockExclusive((SRWLOCK *)mutex);
    return 0;
}

int pthread_cond_init(pthread_cond_t *cond, const void *attributes)
{
    (void)attributes;
    InitializeConditionVariable((CONDITION_VARIABLE *)cond);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond)
{
    (void)cond;
    return 0;
}

static bool wait_ms(pthread_cond_t *cond, pthread_mutex_t *mutex, DWORD ms)
{
    return is_single_threaded() ||
           SleepConditionVariableSRW((CONDITION_VARIABLE *)cond, (SRWLOCK *)mutex, ms, 0);
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    wait_ms(cond, mutex, INFINITE);
    return 0;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
    WakeConditionVariable((CONDITION_VARIABLE *)cond);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)cond);
    return 0;
}

bool thread_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t ns)
{
    uint64_t ms = (ns + 999999) / 1000000;
    return wait_ms(cond, mutex, ms < INFINITE - 1 ? (DWORD)ms : INFINITE - 1);
}

bool thread_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t when)
{
    uint64_t now = thread_now_ns();
    return thread_wait_for(cond, mutex, when > now ? when - now : 0);
}

void thread_cond_init(pthread_cond_t *cond) { pthread_cond_init(cond, NULL); }

bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (cond)
        pthread_cond_wait(cond, mutex);
    return false;
}

void thread_end_cancelled(void)
{
    _endthreadex(0);
    abort();
}

void thread_abandonable(bool may_end) { (void)may_end; }

void thread_abandon(pthread_t thread) { pthread_detach(thread); }

static BOOL CALLBACK call_once(PINIT_ONCE once, PVOID fn, PVOID *context)
{
    (void)once, (void)context;
    (*(void (**)(void))fn)();
    return TRUE;
}

int pthread_once(pthread_once_t *once, void (*fn)(void))
{
    InitOnceExecuteOnce((INIT_ONCE *)once, call_once, &fn, NULL);
    return 0;
}

// ---- thread-local values
// -------------------------------------------------------------------------

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    DWORD index = FlsAlloc((PFLS_CALLBACK_FUNCTION)(void (*)(void))destroy);
    *key = index;
    return index == FLS_OUT_OF_INDEXES ? EAGAIN : 0;
}

void *pthread_getspecific(pthread_key_t key) { return FlsGetValue(key); }

int pthread_setspecific(pthread_key_t key, const void *value)
{
    return FlsSetValue(key, (void *)(uintptr_t)value) ? 0 : ENOMEM;
}

// ---- starting ------------------------------------------------------------------------------------

struct started {
    struct started *next;
    HANDLE handle;
    unsigned id;
    void *(*run)(void *data);
    void *data;
};

static SRWLOCK started_lock = SRWLOCK_INIT;
static struct started *started; // neither joined nor detached

static unsigned __stdcall begin(void *data)
{
    struct started start = *(struct started *)data;
    free(data);
    start.run(start.data);
    return 0;
}

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data)
{
    struct started *entry = calloc(1, sizeof *entry), *start = calloc(1, sizeof *start);
    (void)name;
    if (entry && start) {
        *start = (struct started){.run = run, .data = data};
        entry->handle = (HANDLE)_beginthreadex(NULL, 0, begin, start, CREATE_SUSPENDED, &entry->id);
    }
    if (!entry || !start || !entry->handle) {
        free(entry);
        free(start);
        return EAGAIN;
    }
    *thread = entry->id;
    AcquireSRWLockExclusive(&started_lock);
    entry->next = started;
    started = entry;
    ReleaseSRWLockExclusive(&started_lock);
    ResumeThread(entry->handle);
    return 0;
}

// Windows allocates stacks itself; stack_call() does not need this function here.
int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data)
{
    (void)stack, (void)size;
    return thread_start(thread, name, run, data);
}

static HANDLE forget(pthread_t thread)
{
    HANDLE handle = NULL;
    AcquireSRWLockExclusive(&started_lock);
    struct started **link = &started;
    while (*link && (*link)->id != thread)
        link = &(*link)->next;
    struct started *entry = *link;
    if (entry)
        *link = entry->next;
    ReleaseSRWLockExclusive(&started_lock);
    if (entry)
        handle = entry->handle;
    free(entry);
    return handle;
}

int pthread_join(pthread_t thread, void **result)
{
    HANDLE handle = forget(thread);
    if (result)
        *result = NULL;
    if (!handle)
        return ESRCH;
    if (!is_single_threaded())
        WaitForSingleObject(handle, INFINITE);
    CloseHandle(handle);
    return 0;
}

int pthread_detach(pthread_t thread)
{
    HANDLE handle = forget(thread);
    return handle && CloseHandle(handle) ? 0 : ESRCH;
}

pthread_t pthread_self(void) { return GetCurrentThreadId(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// ---- watching ------------------------------------------------------------------------------------

void thread_watch_self(struct thread_watch *watch)
{
    watch->id = (long)GetCurrentThreadId();
    watch->clock = thread_clock_self();
}

uint64_t thread_used_ns(const struct thread_watch *watch) { return thread_clock_ns(watch->clock); }

bool thread_wants_to_run(const struct thread_watch *watch)
{
    (void)watch;
    return false;
}

unsigned thread_count(void) { return 0; }

void thread_at_end(void (*fn)(void *)) { (void)fn; }

// ---- processors ----------------------------------------------------------------------------------

unsigned thread_processors(void)
{
    DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count ? count : 1;
}

unsigned thread_idle_processors(void) { return thread_processors() / 2; }

int thread_processor(void) { return (int)GetCurrentProcessorNumber(); }

bool thread_leave_processor(int processor)
{
    (void)processor;
    return false;
}

uint64_t processor_last_cache(void)
{
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *all;
    DWORD size = 0;
    uint64_t largest = 0;
    GetLogicalProcessorInformation(NULL, &size);
    all = malloc(size ? size : 1);
    if (all && GetLogicalProcessorInformation(all, &size))
        for (DWORD i = 0; i < size / sizeof *all; i++)
            if (all[i].Relationship == RelationCache && all[i].Cache.Level == 3 && all[i].Cache.Size > largest)
                largest = all[i].Cache.Size;
    free(all);
    return largest;
}
