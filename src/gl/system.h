// SPDX-License-Identifier: Apache-2.0
// EGL and GLX: creates a sharing context, current on the calling thread. And the definition of a
// share.
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
    enum gl_result (*begin)(struct gl_share *share); // creates `context`, current on the calling
                                                     // thread
    void (*end)(struct gl_share *share);             // also for a share whose begin() has failed
    void *(*current)(void);
    void *(*proc)(const char *name);
    void (*interop)(struct gl_share *share); // sets `interop`, `waits_fds`
    // NULL: not supported
    bool (*export)(struct gl_share *share, const struct gl_object *object, struct gl_exported *out);
    bool (*wait_fd)(struct gl_share *share, int fd);
    void *(*make_image)(struct gl_share *share, const struct gl_object *object); // an EGL image, or NULL
    void (*drop_image)(struct gl_share *share, void *image);
};

// Context versions to try in order: 10 * major + minor. Each adds features that are used.
extern const int gl_versions[], gl_versions_es[];

// Looks up functions by a list of names, each terminated by NUL and the list by an empty one, for a
// struct of pointers in the same order. '?' before a name: it is optional. Returns the first missing
// name, or NULL.
const char *gl_load(void *functions, const char *names, void *(*find)(const char *name));

// NULL: the system is not available.
const struct gl_system_functions *gl_egl(void);
const struct gl_system_functions *gl_glx(void);

// 0: signalled, 1: not yet, -1: not an EGL fence.
int gl_egl_sync(void *display, void *sync);

struct gl_share {
    struct gl_origin origin;
    const struct gl_system_functions *system;
    struct gl_functions fn;
    void *context; // NULL: it no longer exists
    uintptr_t surface; // 0: not needed
    struct gl_interop interop;
    bool waits_fds; // system->wait_fd() is supported
    bool tried_images, blits_images; // how EGL images are read (contents.c); by the thread only
    bool es;
    int version; // 10 * major + minor
    struct gl_watcher *watchers; // accessed by the thread only

    struct gl_share *next; // list of all shares
    pthread_t thread;
    pthread_mutex_t lock; // guards the following members
    pthread_cond_t work, done;
    struct gl_job *jobs, **last;
    bool ends, over, orphaned;
    bool exits; // the process is ending: the gate is closed
    bool gone;  // the thread has almost ended; under the lock of all shares
};

// The display is being closed: ends its contexts before returning.
void gl_share_abandon(void *display);

#endif
