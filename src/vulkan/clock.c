// SPDX-License-Identifier: Apache-2.0
// A thread that holds CUDA contexts. See clock.h.
//
// Creating a context takes a quarter of a second and some hundred megabytes of device memory, and
// destroying it delays the end of the process as much. So contexts are created only after a delay:
// shorter programs end before the clock begins to drop (3.6 s on an H200, 580.159). The thread
// lives as long as the process. At the end, the process waits until the thread is outside of
// libcuda, whose exit handlers then destroy the contexts.
#include "vulkan/clock.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"
#include "vulkan/cache.h"

#define MS UINT64_C(1000000)
#define CREATE_AFTER_NS (3000 * MS)  // shorter use does not drop the clock
#define DESTROY_AFTER_NS (1000 * MS) // users often come back
// How long the end of the process waits for a call in progress. Creating a context may take many
// seconds on a GPU shared by dozens of processes, and a thread that is inside when the library is
// unloaded crashes.
#define END_NS (120000 * MS)

enum { DEVICES = 64 };

struct held {
    uint8_t uuid[VK_UUID_SIZE];
    unsigned users;
    uint64_t first_use, last_use; // start of the first user after a pause; end of the last one
    bool held;      // or creation failed: not retried while there are users
    void *context;  // CUDA's, or NULL; accessed by the thread only
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool started; // never reset
    bool ends;
    bool inside; // a thread is inside the library
    unsigned fork_generation;
    struct held devices[DEVICES];
    unsigned count;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- libcuda ------------------------------------------------------------------------------------

// As libcuda declares them; all return 0 for success.
#define CUDA_FUNCTIONS(FN)                                                                         \
    FN(Init, (unsigned flags))                                                                     \
    FN(DeviceGetCount, (int *count))                                                               \
    FN(DeviceGet, (int *device, int index))                                                        \
    FN(DeviceGetUuid_v2, (void *uuid, int device))                                                 \
    FN(DeviceGetAttribute, (int *value, int attribute, int device))                                \
    FN(CtxCreate_v2, (void **context, unsigned flags, int device))                                 \
    FN(CtxSetLimit, (int limit, size_t value))                                                     \
    FN(CtxPopCurrent_v2, (void **context))                                                         \
    FN(CtxDestroy_v2, (void *context))

static struct {
    bool tried, usable;
#define FN(name, parameters) int(*name) parameters;
    CUDA_FUNCTIONS(FN)
#undef FN
} cuda;

// Never unloaded: it has started threads in the process.
static bool cuda_open(void)
{
    if (cuda.tried)
        return cuda.usable;
    cuda.tried = true;
    void *library = library_open(LIBRARY_CUDA);
    if (!library) {
        log_write(LOG_VULKAN, "the GPU's clock is not kept up: no libcuda");
        return false;
    }
    process_at_exit(vk_clock_end); // registered after the library's handlers, so that it runs
                                   // before them
#define FN(name, parameters)                                                                       \
    cuda.name = (int(*) parameters)library_find(library, "cu" #name);                                     \
    if (!cuda.name)                                                                                \
        return false;
    CUDA_FUNCTIONS(FN)
#undef FN
    int result = cuda.Init(0);
    process_at_exit(vk_clock_end);
    cuda.usable = result == 0;
    if (result)
        log_write(LOG_VULKAN, "the GPU's clock is not kept up: cuInit returns %d", result);
    return cuda.usable;
}

// CUDA's number of a Vulkan device, or -1: the program may have hidden it from CUDA.
static int cuda_find(const uint8_t uuid[VK_UUID_SIZE])
{
    uint8_t its[VK_UUID_SIZE];
    int count = 0, device;
    if (cuda.DeviceGetCount(&count))
        return -1;
    for (int i = 0; i < count; i++)
        if (!cuda.DeviceGet(&device, i) && !cuda.DeviceGetUuid_v2(its, device) &&
            !memcmp(its, uuid, sizeof its))
            return device;
    return -1;
}

static void create_context(struct held *held)
{
    enum { SLEEP_WHEN_WAITING = 4 };
    static const size_t least[] = {16, 4096, 4096}; // sizes of stack, printf buffer and malloc heap
    int device = cuda_open() ? cuda_find(held->uuid) : -1;
    void *current;
    if (device < 0)
        return;
    int result = cuda.CtxCreate_v2(&held->context, SLEEP_WHEN_WAITING, device);
    log_write(LOG_VULKAN, "creating a CUDA context to keep the clock up: %d", result);
    if (result) {
        held->context = NULL;
        return;
    }
    for (int limit = 0; limit < (int)(sizeof least / sizeof *least); limit++)
        cuda.CtxSetLimit(limit, least[limit]);
    cuda.CtxPopCurrent_v2(&current);
}

static void destroy_context(struct held *held)
{
    if (held->context)
        cuda.CtxDestroy_v2(held->context);
    held->context = NULL;
}

// ---- the thread ---------------------------------------------------------------------------------

// The first device whose action is due; else NULL, and when the next one is.
static struct held *find_due(uint64_t *when)
{
    uint64_t now = thread_now_ns();
    *when = UINT64_MAX;
    for (unsigned i = 0; i < state.count; i++) {
        struct held *held = &state.devices[i];
        bool wanted = held->users > 0;
        uint64_t at =
            wanted ? held->first_use + CREATE_AFTER_NS : held->last_use + DESTROY_AFTER_NS;
        if (held->held == wanted)
            continue;
        if (at <= now)
            return held;
        if (at < *when)
            *when = at;
    }
    return NULL;
}

static void sleep_until(uint64_t when)
{
    if (when == UINT64_MAX)
        pthread_cond_wait(&state.changed, &state.lock);
    else
        thread_wait_until(&state.changed, &state.lock, when);
}

// The lock is released between these two calls.
static void enter_library(void)
{
    state.inside = true;
    pthread_mutex_unlock(&state.lock);
}

static void leave_library(void)
{
    pthread_mutex_lock(&state.lock);
    state.inside = false;
    pthread_cond_broadcast(&state.changed);
}

static void *run(void *unused)
{
    pthread_mutex_lock(&state.lock);
    while (!state.ends) {
        uint64_t when;
        struct held *held = find_due(&when);
        if (!held) {
            sleep_until(when);
            continue;
        }
        if (state.inside) {
            sleep_until(UINT64_MAX);
            continue;
        }
        bool wanted = held->users > 0;
        enter_library();
        wanted ? create_context(held) : destroy_context(held);
        leave_library();
        held->held = wanted;
    }
    pthread_mutex_unlock(&state.lock);
    return unused;
}

static void start(void)
{
    pthread_t thread;
    thread_cond_init(&state.changed);
    state.started = true;
    state.fork_generation = thread_fork_generation();
    if (!thread_start(&thread, "pumice clock", run, NULL))
        pthread_detach(thread);
}

// ---- users --------------------------------------------------------------------------------------

static bool wanted_for(const struct vk_facts *facts)
{
    const char *wish = option_get(OPTION_CLOCK);
    if (wish)
        return !strcmp(wish, "cuda");
    return facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
}

static struct held *entry_of(const uint8_t uuid[VK_UUID_SIZE])
{
    for (unsigned i = 0; i < state.count; i++)
        if (!memcmp(state.devices[i].uuid, uuid, VK_UUID_SIZE))
            return &state.devices[i];
    if (state.count == DEVICES)
        return NULL;
    struct held *held = &state.devices[state.count++];
    memcpy(held->uuid, uuid, VK_UUID_SIZE);
    return held;
}

static void count(struct held *held, bool more)
{
    uint64_t now = thread_now_ns();
    if (more && !held->users && (!held->last_use || now > held->last_use + DESTROY_AFTER_NS))
        held->first_use = now;
    held->users += more ? 1 : -1;
    if (!held->users)
        held->last_use = now;
}

static void change(const struct vk_facts *facts, bool more)
{
    if (!wanted_for(facts))
        return;
    pthread_mutex_lock(&state.lock);
    struct held *held = state.ends ? NULL : entry_of(facts->props11.deviceUUID);
    if (held) {
        count(held, more);
        if (!state.started)
            start();
        pthread_cond_broadcast(&state.changed);
    }
    pthread_mutex_unlock(&state.lock);
}

void vk_clock_retain(const struct vk_facts *facts)
{
    change(facts, true);
}

void vk_clock_release(const struct vk_facts *facts)
{
    change(facts, false);
}

static bool is_parents(void)
{
    return state.started && state.fork_generation != thread_fork_generation();
}

void vk_clock_forget(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    if (!is_parents())
        return;
    state.lock = fresh;
    state.started = state.inside = state.ends = false;
    state.count = 0;
    memset(state.devices, 0, sizeof state.devices);
    cuda.usable = false; // CUDA does not work in a forked child
}

static uint64_t query_l2(const struct vk_facts *facts)
{
    enum { L2_CACHE_SIZE = 38 };
    int bytes = 0;
    pthread_mutex_lock(&state.lock);
    if (!state.started && !state.ends)
        start();
    while (state.inside && !state.ends)
        sleep_until(UINT64_MAX);
    if (!state.ends) {
        enter_library();
        int device = cuda_open() ? cuda_find(facts->props11.deviceUUID) : -1;
        if (device < 0 || cuda.DeviceGetAttribute(&bytes, L2_CACHE_SIZE, device))
            bytes = 0;
        leave_library();
    }
    pthread_mutex_unlock(&state.lock);
    return bytes > 0 ? (uint64_t)bytes : 0;
}

// Stored for the next process, which then need not start CUDA for it.
struct l2_note {
    uint8_t device[VK_UUID_SIZE];
    uint64_t bytes;
};

uint64_t vk_clock_cuda_l2(const struct vk_facts *facts)
{
    const uint8_t *uuid = facts->props11.deviceUUID;
    struct l2_note note;
    if (!wanted_for(facts))
        return 0;
    if (vk_cache_load_note(facts, "l2", &note, sizeof note) && !memcmp(note.device, uuid, sizeof note.device))
        return note.bytes;
    if (is_parents())
        return 0;
    memcpy(note.device, uuid, sizeof note.device);
    note.bytes = query_l2(facts);
    if (note.bytes)
        vk_cache_store(facts, "l2", &note, sizeof note);
    return note.bytes;
}

void vk_clock_end(void)
{
    uint64_t last = thread_now_ns() + END_NS;
    if (is_parents())
        return; // a forked child: the thread is the parent's, which may have held the lock
    pthread_mutex_lock(&state.lock);
    bool first = !state.ends;
    state.ends = true;
    if (state.started)
        pthread_cond_broadcast(&state.changed);
    while (first && state.inside && thread_now_ns() < last)
        sleep_until(last);
    pthread_mutex_unlock(&state.lock);
}
