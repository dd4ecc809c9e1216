// SPDX-License-Identifier: Apache-2.0
// A context of our own that shares the objects of the application's OpenGL context, on a thread of its own.
//
// The application's contexts and their state are never touched: all of OpenGL is called on that thread. What is to be done
// there is a job; jobs run one after another. Nothing of OpenGL, EGL or X is loaded before a share is opened.
#ifndef PUMICE_GL_SHARE_H
#define PUMICE_GL_SHARE_H

#include <stdbool.h>
#include <stdint.h>

enum gl_system { GL_BY_EGL, GL_BY_GLX };

// Whose objects are shared. No context: those that EGL knows by itself (images).
struct gl_origin {
    enum gl_system system;
    void *display, *context;
};

enum gl_result {
    GL_FINE,
    GL_NO_SYSTEM,  // no EGL or GLX here
    GL_NO_CONTEXT, // there is no such context, or nothing can be shared with it
    GL_NO_MEMORY,
    GL_NO_OBJECT,  // the name is of no such object, or of an incomplete one, or it has changed since
    GL_NO_LEVEL,
    GL_NO_FORMAT,  // none that OpenCL has
    GL_NOT_PLAIN,  // it has a border, or several samples
};

struct gl_share;

struct gl_job {
    struct gl_job *next;
    void (*run)(struct gl_share *share, struct gl_job *job); // the job is its own to free
};

enum gl_result gl_share_open(const struct gl_origin *origin, struct gl_share **out);
// Jobs that wait are done first. May be called on the share's own thread.
void gl_share_close(struct gl_share *share);
// At the end of the process: no context of ours is left to the handlers of OpenGL's own, nor a thread that has called it.
void gl_shares_end(void);
bool gl_share_is(const struct gl_share *share, const struct gl_origin *origin);

// Has it done, now or later. gl_share_call() waits; GL_NO_CONTEXT: the context is gone.
void gl_share_post(struct gl_share *share, struct gl_job *job);
enum gl_result gl_share_call(struct gl_share *share, enum gl_result (*fn)(struct gl_share *share, void *data), void *data);

// For a caller whose thread has an OpenGL context: what was called there so far comes before what is done with the result,
// which is for gl_wait(). NULL: nothing to wait for.
void *gl_fence(struct gl_share *share);
bool gl_is_current(const struct gl_share *share); // some context of the same system

// Calls done(data) on the share's thread when a GLsync, or an EGLSync of a display, is signalled, or never will be.
// GL_NO_OBJECT: it is none.
enum gl_result gl_watch(struct gl_share *share, void *display, void *sync, void (*done)(void *data), void *data);

// The 16 bytes that Vulkan calls deviceUUID, and whether a CPU draws. False: OpenGL does not tell the former.
bool gl_device(struct gl_share *share, uint8_t uuid[16], bool *cpu);

#endif
