// SPDX-License-Identifier: Apache-2.0
// An OpenGL context of Pumice that shares objects with the application's context, on a thread of
// its own.
//
// The application's contexts and their state are never modified: all OpenGL calls are made on that
// thread. Work for the thread is a job; jobs run one after the other. OpenGL, EGL and X libraries
// are not loaded before a share is opened.
#ifndef PUMICE_GL_SHARE_H
#define PUMICE_GL_SHARE_H

#include <stdbool.h>
#include <stdint.h>

enum gl_system { GL_BY_EGL, GL_BY_GLX };

// The context whose objects are shared. No context: only EGL images.
struct gl_origin {
    enum gl_system system;
    void *display, *context;
};

enum gl_result {
    GL_FINE,
    GL_NO_SYSTEM,  // EGL or GLX is not available
    GL_NO_CONTEXT, // no such context, or sharing is not possible
    GL_NO_MEMORY,
    GL_NO_OBJECT,  // not the name of such an object, or incomplete, or changed since
    GL_NO_LEVEL,
    GL_NO_FORMAT,  // no equivalent in OpenCL
    GL_NOT_PLAIN,  // has a border, or is multisampled
};

struct gl_share;

struct gl_job {
    struct gl_job *next;
    void (*run)(struct gl_share *share, struct gl_job *job); // must free the job
};

enum gl_result gl_share_open(const struct gl_origin *origin, struct gl_share **out);
// Runs the queued jobs first. May be called on the share's own thread.
void gl_share_close(struct gl_share *share);
// At the end of the process: ends all contexts and threads before OpenGL's exit handlers run.
void gl_shares_end(void);
bool gl_share_is(const struct gl_share *share, const struct gl_origin *origin);

// Queues a job. gl_share_call() also waits; GL_NO_CONTEXT: the context no longer exists.
void gl_share_post(struct gl_share *share, struct gl_job *job);
enum gl_result gl_share_call(struct gl_share *share, enum gl_result (*fn)(struct gl_share *share, void *data), void *data);

// For a thread with a current OpenGL context: a fence after the commands so far, for gl_wait().
// NULL: nothing to wait for.
void *gl_fence(struct gl_share *share);
bool gl_is_current(const struct gl_share *share); // any context of the same system

// Calls done(data) on the share's thread when a GLsync, or an EGLSync of a display, is signalled or
// can no longer be. GL_NO_OBJECT: invalid.
enum gl_result gl_watch(struct gl_share *share, void *display, void *sync, void (*done)(void *data), void *data);

// The 16 bytes of Vulkan's deviceUUID, and whether OpenGL renders on a CPU. False: OpenGL does not
// report the UUID.
bool gl_device(struct gl_share *share, uint8_t uuid[16], bool *cpu);

#endif
