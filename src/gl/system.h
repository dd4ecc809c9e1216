// SPDX-License-Identifier: Apache-2.0
// EGL and GLX: a context that shares, current on the calling thread. And what a share consists of.
#ifndef PUMICE_GL_SYSTEM_H
#define PUMICE_GL_SYSTEM_H

#include "platform/platform.h"

#include "gl/interop.h"
#include "gl/names.h"
#include "gl/share.h"

struct gl_functions {
#define PROC(result, name, ...) result (*name)(__VA_ARGS__);
#include "gl/procs.def"
};

struct gl_object;
struct gl_exported;

struct gl_system_functions {
    enum gl_result (*begin)(struct gl_share *share); // makes `context`, current on the calling thread
    void (*end)(struct gl_share *share);             // also of a share whose begin() has failed
    void *(*current)(void);
    void *(*proc)(const char *name);
    void (*interop)(struct gl_share *share); // finds `interop`, `waits_fds`
    // NULL: the system has no such
    bool (*export)(struct gl_share *share, const struct gl_object *object, struct gl_exported *out);
    bool (*wait_fd)(struct gl_share *share, int fd);
};

// Of contexts of ours, the first that can be had: 10 * major + minor. Each brings something that is used.
extern const int gl_versions[], gl_versions_es[];

// Finds functions by their names, which follow one another and end with an empty one, for a struct of nothing but pointers
// in the same order. '?' before a name: it may be missing. What else is, or NULL.
const char *gl_load(void *functions, const char *names, void *(*find)(const char *name));

// NULL: there is no such system here.
const struct gl_system_functions *gl_egl(void);
const struct gl_system_functions *gl_glx(void);

// 0: signalled, 1: not yet, -1: no fence of EGL's.
int gl_egl_sync(void *display, void *sync);

struct gl_share {
    struct gl_origin origin;
    const struct gl_system_functions *system;
    struct gl_functions fn;
    void *context; // NULL: gone
    uintptr_t surface; // 0: it needs none
    struct gl_interop interop;
    bool waits_fds; // system->wait_fd() can
    bool es;
    int version; // 10 * major + minor
    struct gl_watcher *watchers; // the thread's own

    struct gl_share *next; // of all that there are
    pthread_t thread;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t work, done;
    struct gl_job *jobs, **last;
    bool ends, over, orphaned;
    bool exits; // the process does: the gate is closed
    bool gone;  // and the thread nearly; under the lock of all shares
};

// The display is being closed: the contexts that are of it end before this returns.
void gl_share_abandon(void *display);

#endif
