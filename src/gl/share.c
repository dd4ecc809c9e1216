// SPDX-License-Identifier: Apache-2.0
// The thread of a share: jobs, and fences that are being waited for. See share.h.
#include "gl/share.h"

#include <stdlib.h>
#include <string.h>

#include "gl/contents.h"
#include "gl/semaphore.h"
#include "gl/system.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum { WATCH_NS = 200000, WAIT_NS = 1000000000, END_NS = 1000000000, LEAVING = 16, ENDING = 256 };

static struct gl_share *shares;
static pthread_mutex_t shares_lock = PTHREAD_MUTEX_INITIALIZER;
// Threads that have closed their own share: OpenGL runs destructors as they end.
static pthread_t leaving[LEAVING];
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER; // a thread is ending at the end of the
                                                       // process
static unsigned leaving_count;

const int gl_versions[] = {46, 45, 43, 32, 0}, gl_versions_es[] = {32, 31, 30, 20, 0};

struct gl_watcher {
    struct gl_watcher *next;
    void *display, *sync; // no display: a GLsync
    void (*done)(void *data);
    void *data;
};

// ---- fences -------------------------------------------------------------------------------------

static int poll_watcher(struct gl_share *share, const struct gl_watcher *watcher)
{
    if (watcher->display)
        return gl_egl() ? gl_egl_sync(watcher->display, watcher->sync) : -1;
    if (!share->context || !share->fn.IsSync || !share->fn.IsSync(watcher->sync))
        return -1;
    return share->fn.ClientWaitSync(watcher->sync, 0, 0) == GL_TIMEOUT_EXPIRED;
}

// A fence that no longer exists counts as signalled, so that no wait lasts forever.
static void poll_watchers(struct gl_share *share, bool give_up)
{
    for (struct gl_watcher **at = &share->watchers; *at;) {
        struct gl_watcher *watcher = *at;
        if (!give_up && poll_watcher(share, watcher) > 0) {
            at = &watcher->next;
            continue;
        }
        *at = watcher->next;
        watcher->done(watcher->data);
        free(watcher);
    }
}

static enum gl_result add_watcher(struct gl_share *share, void *data)
{
    struct gl_watcher *watcher = data, *kept;
    if (poll_watcher(share, watcher) < 0)
        return GL_NO_OBJECT;
    kept = malloc(sizeof *kept);
    if (!kept)
        return GL_NO_MEMORY;
    *kept = *watcher;
    kept->next = share->watchers;
    share->watchers = kept;
    poll_watchers(share, false);
    return GL_FINE;
}

enum gl_result gl_watch(struct gl_share *share, void *display, void *sync, void (*done)(void *data), void *data)
{
    struct gl_watcher watcher = {NULL, display, sync, done, data};
    if (gl_is_current(share))
        share->fn.Flush();
    return gl_share_call(share, add_watcher, &watcher);
}

bool gl_is_current(const struct gl_share *share)
{
    return !gate_ended() && share->system->current() != NULL;
}

void *gl_fence(struct gl_share *share)
{
    void *current = gate_ended() ? NULL : share->system->current(), *fence = NULL;
    if (!current)
        return NULL;
    if (current == share->origin.context && share->fn.FenceSync && share->fn.IsSync)
        fence = share->fn.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (fence)
        share->fn.Flush();
    else
        share->fn.Finish();
    return fence;
}

void gl_wait(struct gl_share *share, void *fence)
{
    if (!fence || !share->context)
        return;
    while (share->fn.ClientWaitSync(fence, 0, WAIT_NS) == GL_TIMEOUT_EXPIRED)
        ;
    share->fn.DeleteSync(fence);
}

void gl_wait_on_gpu(struct gl_share *share, void *fence)
{
    if (!share->context || !share->fn.WaitSync) {
        gl_wait(share, fence);
        return;
    }
    share->fn.WaitSync(fence, 0, UINT64_MAX); // GL_TIMEOUT_IGNORED
    share->fn.DeleteSync(fence);
}

bool gl_is_signaled(struct gl_share *share, void *fence)
{
    if (share->context && share->fn.ClientWaitSync(fence, 0, 0) == GL_TIMEOUT_EXPIRED)
        return false;
    gl_wait(share, fence);
    return true;
}

// ---- the thread ---------------------------------------------------------------------------------

// NULL: none yet (*ends: no more).
static struct gl_job *next_job(struct gl_share *share, bool *ends)
{
    pthread_mutex_lock(&share->lock);
    if (!share->jobs && !share->ends && share->watchers && !share->exits)
        thread_wait_for(&share->work, &share->lock, WATCH_NS);
    while (!share->jobs && !share->ends && !share->watchers && !share->exits)
        pthread_cond_wait(&share->work, &share->lock);
    struct gl_job *job = share->jobs;
    share->jobs = job ? job->next : NULL;
    if (!share->jobs)
        share->last = &share->jobs;
    *ends = share->over = !job && share->ends;
    pthread_mutex_unlock(&share->lock);
    return job;
}

static void end_context(struct gl_share *share)
{
    if (share->context)
        share->system->end(share);
    share->context = NULL;
}

static void free_share(struct gl_share *share)
{
    pthread_mutex_destroy(&share->lock);
    pthread_cond_destroy(&share->work);
    pthread_cond_destroy(&share->done);
    free(share);
}

// Under shares_lock.
static void unlist(struct gl_share *share)
{
    struct gl_share **at = &shares;
    while (*at && *at != share)
        at = &(*at)->next;
    if (*at)
        *at = share->next;
}

static bool share_exits(struct gl_share *share)
{
    pthread_mutex_lock(&share->lock);
    bool exits = share->exits;
    pthread_mutex_unlock(&share->lock);
    return exits;
}

// Joins threads that have ended or nearly so; not callable from such a thread.
static void join_leaving(void)
{
    pthread_t threads[LEAVING];
    pthread_mutex_lock(&shares_lock);
    unsigned count = leaving_count;
    memcpy(threads, leaving, sizeof threads);
    leaving_count = 0;
    pthread_mutex_unlock(&shares_lock);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

// For gl_shares_end(), which joins the thread; the share is not freed.
static void tell_gone(struct gl_share *share)
{
    share->gone = true;
    pthread_cond_broadcast(&gone);
}

static void leave(struct gl_share *share)
{
    pthread_mutex_lock(&shares_lock);
    bool exits = share->exits;
    if (exits) {
        tell_gone(share);
    } else {
        unlist(share);
        if (leaving_count < LEAVING)
            leaving[leaving_count++] = share->thread;
        else
            pthread_detach(share->thread);
    }
    pthread_mutex_unlock(&shares_lock);
    if (!exits)
        free_share(share);
}

static void end_share(struct gl_share *share)
{
    poll_watchers(share, true);
    end_context(share);
    if (share->orphaned)
        leave(share);
}

// Does not use the gate: the thread that closes it waits for work in progress, and then for this
// thread.
static void *share_main(void *data)
{
    struct gl_share *share = data;
    for (bool ends = false; !ends;) {
        struct gl_job *job = next_job(share, &ends);
        if (!job && share_exits(share)) {
            end_context(share);
            pthread_mutex_lock(&shares_lock);
            tell_gone(share);
            pthread_mutex_unlock(&shares_lock);
            return NULL;
        }
        if (job)
            job->run(share, job);
        if (ends)
            end_share(share);
        else
            poll_watchers(share, false);
    }
    return NULL;
}

// ---- jobs ---------------------------------------------------------------------------------------

static bool post(struct gl_share *share, struct gl_job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&share->lock);
    bool taken = !share->over;
    if (taken) {
        *share->last = job;
        share->last = &job->next;
        pthread_cond_signal(&share->work);
    }
    pthread_mutex_unlock(&share->lock);
    return taken;
}

void gl_share_post(struct gl_share *share, struct gl_job *job)
{
    post(share, job); // the caller's share is not closed
}

struct call {
    struct gl_job job;
    enum gl_result (*fn)(struct gl_share *share, void *data);
    void *data;
    enum gl_result result;
    bool done;
};

static void run_call(struct gl_share *share, struct gl_job *job)
{
    struct call *call = (struct call *)job;
    call->result = call->fn(share, call->data);
    pthread_mutex_lock(&share->lock);
    call->done = true;
    pthread_cond_broadcast(&share->done);
    pthread_mutex_unlock(&share->lock);
}

enum gl_result gl_share_call(struct gl_share *share, enum gl_result (*fn)(struct gl_share *share, void *data), void *data)
{
    struct call call = {.job = {.run = run_call}, .fn = fn, .data = data};
    if (pthread_equal(pthread_self(), share->thread))
        return fn(share, data);
    if (gate_ended() || !post(share, &call.job))
        return GL_NO_CONTEXT;
    unsigned depth = gate_step_out();
    pthread_mutex_lock(&share->lock);
    while (!call.done)
        pthread_cond_wait(&share->done, &share->lock);
    pthread_mutex_unlock(&share->lock);
    gate_step_in(depth);
    return call.result;
}

// ---- life ---------------------------------------------------------------------------------------

const char *gl_load(void *functions, const char *names, void *(*find)(const char *name))
{
    char *at = functions;
    const char *missing = NULL;
    for (const char *name = names; *name; name += strlen(name) + 1, at += sizeof(void *)) {
        void *found = find(name + (*name == '?'));
        memcpy(at, &found, sizeof found);
        if (!found && *name != '?')
            missing = name;
    }
    return missing;
}

static bool load_functions(struct gl_share *share)
{
    static const char names[] =
#define PROC(result, name, ...) "gl" #name "\0"
#define PROC_OPTIONAL(result, name, ...) "?gl" #name "\0"
#include "gl/procs.def"
        ;
    return !gl_load(&share->fn, names, share->system->proc);
}

// If the context's version lacks a function, its name may still resolve to one that does nothing.
static void drop_later(struct gl_share *share)
{
    struct gl_functions *fn = &share->fn;
    int v = share->version;
    if (share->es ? v < 30 : v < 32)
        fn->FenceSync = NULL, fn->IsSync = NULL, fn->ClientWaitSync = NULL, fn->WaitSync = NULL, fn->GetBufferParameteri64v = NULL;
    if (share->es ? v < 31 : false)
        fn->GetTexLevelParameteriv = NULL;
    if (share->es ? v < 32 : v < 43)
        fn->CopyImageSubData = NULL;
    if (share->es || v < 45)
        fn->GetTextureSubImage = NULL, fn->CopyNamedBufferSubData = NULL;
    if (share->es)
        fn->GetTexImage = NULL, fn->GetBufferSubData = NULL, fn->TexSubImage1D = NULL;
}

// Of the current context: 10 * major + minor.
static int current_version(const struct gl_share *share)
{
    const char *text = (const char *)share->fn.GetString(GL_VERSION);
    while (text && *text && (*text < '0' || *text > '9'))
        text++;
    return text && *text && text[1] == '.' ? 10 * (*text - '0') + text[2] - '0' : 0;
}

bool gl_orders_copies(const struct gl_share *share)
{
    const struct gl_functions *fn = &share->fn;
    return fn->CopyImageSubData && fn->FenceSync && fn->SignalSemaphoreEXT && fn->WaitSemaphoreEXT &&
           current_version(share) >= (share->es ? 32 : fn->CopyNamedBufferSubData ? 45 : 43);
}

static enum gl_result begin(struct gl_share *share, void *unused)
{
    (void)unused;
    enum gl_result result = share->system->begin(share);
    if (result == GL_FINE && !load_functions(share))
        result = GL_NO_CONTEXT;
    if (result == GL_FINE)
        share->version = current_version(share);
    if (share->version < (share->es ? 20 : 30)) // renderbuffers, and reading all textures
        result = result == GL_FINE ? GL_NO_CONTEXT : result;
    drop_later(share);
    if (result == GL_FINE) {
        share->system->interop(share);
        share->fn.PixelStorei(GL_PACK_ALIGNMENT, 1);
        share->fn.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        log_write(LOG_MEM, "sharing with OpenGL %s%d.%d on '%s', by an OpenGL context on a separate thread",
                  share->es ? "ES " : "", share->version / 10, share->version % 10, share->fn.GetString(GL_RENDERER));
    }
    return result;
}

enum gl_result gl_share_open(const struct gl_origin *origin, struct gl_share **out)
{
    const struct gl_system_functions *system = origin->system == GL_BY_EGL ? gl_egl() : gl_glx();
    if (!system)
        return GL_NO_SYSTEM;
    struct gl_share *share = calloc(1, sizeof *share);
    if (!share)
        return GL_NO_MEMORY;
    join_leaving();
    share->origin = *origin;
    share->system = system;
    share->last = &share->jobs;
    pthread_mutex_init(&share->lock, NULL);
    pthread_cond_init(&share->work, NULL);
    pthread_cond_init(&share->done, NULL);
    if (thread_start(&share->thread, "pumice-gl", share_main, share)) {
        free_share(share);
        return GL_NO_MEMORY;
    }
    pthread_mutex_lock(&shares_lock);
    share->next = shares;
    shares = share;
    pthread_mutex_unlock(&shares_lock);
    enum gl_result result = gl_share_call(share, begin, NULL);
    if (result != GL_FINE)
        gl_share_close(share);
    else
        *out = share;
    return result;
}

bool gl_share_is(const struct gl_share *share, const struct gl_origin *origin)
{
    return share->origin.system == origin->system && share->origin.display == origin->display;
}

void gl_share_close(struct gl_share *share)
{
    bool self = pthread_equal(pthread_self(), share->thread);
    if (gate_ended())
        return; // its thread may be asleep and stays so
    if (!self) {
        pthread_mutex_lock(&shares_lock);
        unlist(share);
        pthread_mutex_unlock(&shares_lock);
    }
    pthread_mutex_lock(&share->lock);
    share->ends = true;
    share->orphaned = self;
    pthread_cond_signal(&share->work);
    pthread_mutex_unlock(&share->lock);
    if (self)
        return;
    unsigned depth = gate_step_out();
    pthread_join(share->thread, NULL);
    free_share(share);
    gate_step_in(depth);
}

// A thread that is stuck in OpenGL is not joined.
void gl_shares_end(void)
{
    pthread_t threads[ENDING];
    unsigned count = 0;
    uint64_t end = thread_now_ns() + END_NS, now;
    pthread_mutex_lock(&shares_lock);
    for (struct gl_share *share = shares; share; share = share->next) {
        pthread_mutex_lock(&share->lock);
        share->exits = true;
        pthread_cond_signal(&share->work);
        pthread_mutex_unlock(&share->lock);
    }
    for (struct gl_share *share = shares; share && count < ENDING; share = share->next) {
        while (!share->gone && (now = thread_now_ns()) < end)
            thread_wait_for(&gone, &shares_lock, end - now);
        if (share->gone)
            threads[count++] = share->thread;
    }
    pthread_mutex_unlock(&shares_lock);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    join_leaving();
}

static enum gl_result run_end(struct gl_share *share, void *unused)
{
    (void)unused;
    poll_watchers(share, true);
    end_context(share);
    return GL_FINE;
}

void gl_share_abandon(void *display)
{
    pthread_mutex_lock(&shares_lock);
    for (struct gl_share *share = shares; share; share = share->next)
        if (share->origin.system == GL_BY_GLX && share->origin.display == display)
            gl_share_call(share, run_end, NULL);
    pthread_mutex_unlock(&shares_lock);
}

bool gl_device(struct gl_share *share, uint8_t uuid[16], bool *cpu)
{
    const char *name = (const char *)share->fn.GetString(GL_RENDERER);
    int count = 0;
    *cpu = name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SWR"));
    while (share->fn.GetError())
        ;
    share->fn.GetIntegerv(GL_NUM_DEVICE_UUIDS, &count);
    if (!share->fn.GetError() && count && share->fn.GetUnsignedBytei_vEXT)
        share->fn.GetUnsignedBytei_vEXT(GL_DEVICE_UUID, 0, uuid);
    else
        count = 0;
    return count > 0;
}
