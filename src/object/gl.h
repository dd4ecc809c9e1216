// SPDX-License-Identifier: Apache-2.0
// Memory objects created from OpenGL and EGL objects.
//
// If possible, the memory object uses the OpenGL object's memory directly, and acquire and release
// make each side's writes visible to the other. Otherwise it has memory of its own: acquire copies
// the contents in, release copies them back, on the thread of the share (gl/share.h) and only if
// needed: an object that kernels only write is read only at its first acquire, and one that no
// command has changed since then is not written back. Copies by the device are made by the
// application's own context if it is current, with semaphores between it and Vulkan, so that nobody
// waits on the host.
#ifndef PUMICE_OBJECT_GL_H
#define PUMICE_OBJECT_GL_H

#include <stdatomic.h>

#include "gl/contents.h"
#include "object/image.h"

enum { GL_TESTS = 64 }; // kinds of objects; all others are copied by the host

// A context's share.
struct context_share {
    struct context_share *next;
    struct gl_share *share;
    struct vk_buffer *staging; // one per device of the context, created when needed; this and the
                               // following are accessed by the share's thread only
    // Whether sharing or device copies were tested to be correct for these kinds of objects; in the
    // order of the tests.
    struct gl_test {
        unsigned target, internal;
        int level;
        bool mipmapped, drawn, copied, right;
    } tests[GL_TESTS];
    unsigned test_count;
    _Atomic(struct gl_signals *) signals; // gl_signal.c; NULL: not created yet
    _Atomic(struct gl_orders *) orders;   // gl_ordered.c; NULL: not created yet
};

struct memobj_gl {
    struct context_share *share;
    struct gl_object object;
    bool egl;
    VkExternalMemoryHandleTypeFlagBits external; // type of memory that OpenGL also accesses:
                                                 // DMA_BUF, the object's own; OPAQUE_FD, its mirror
    cl_gl_object_type type; // this and the rest: as passed to clCreateFromGL...(); not for EGL
    cl_GLuint name;
    cl_GLenum target;
    cl_GLint level;
    atomic_bool acquired, changed; // by enqueued commands: by OpenCL, since the last acquire
    atomic_bool filled;            // has been read once
    atomic_bool proven[2];         // device copies have succeeded: releases, acquires
    _Atomic(struct command *) released; // counted; a release without a copy, perhaps not complete
};

// gl_share_open(), and makes the end of the process safe.
enum gl_result gl_open(const struct gl_origin *origin, struct gl_share **out);
// Opens the share that the context's properties name.
cl_int context_open_share(struct _cl_context *context, const struct gl_origin *origin);
// The share for images of an EGL display: the context's, if it belongs to this display, else a new
// one.
cl_int context_share_for(struct _cl_context *context, void *display, struct context_share **out);
void context_close_shares(struct _cl_context *context);

cl_int gl_error(enum gl_result result, cl_int no_object);

// Takes over the description: from then on the object is shared with OpenGL. May replace its memory
// by memory that OpenGL can access.
cl_int memobj_set_gl(struct _cl_mem *mem, const struct memobj_gl *gl);
void gl_object_forget(const struct memobj_gl *gl); // frees what was created for it in OpenGL
void memobj_gl_finish(struct _cl_mem *mem);
// Marks the object as changed: an enqueued command may write to it.
void memobj_note_change(struct _cl_mem *mem);

// An acquire or release of a list of objects.
struct gl_transfer;
cl_int gl_transfer_create(struct _cl_context *context, int device_index, bool acquires,
                          cl_uint count, struct gl_transfer **out);
// Adds an object and its memory on the device, which must live as long as the command: a surface,
// or a buffer and an offset.
void gl_transfer_add(struct gl_transfer *turn, struct _cl_mem *mem,
                     const struct cmd_surface *surface, struct vk_buffer *buffer, uint64_t offset);
// For a thread with a current OpenGL context: enqueues it if OpenGL's and Vulkan's queues can keep
// the order by themselves. False: they can't. *follows: the context's later commands run behind it.
bool gl_transfer_order(const struct cmd_request *request, struct gl_transfer *turn, cl_int *error, bool *follows);
// Otherwise; with a fence behind the context's commands so far, if there is one.
void gl_transfer_wait(struct gl_transfer *turn, struct context_share *share, void *fence);
cl_int gl_transfer_enqueue(const struct cmd_request *request, struct gl_transfer *turn);
void gl_transfer_release(void *turn);
// True: the caller's OpenGL context waits for a release, which has been flushed. False: not
// supported.
bool gl_signal_release(struct _cl_command_queue *queue, struct command *command, cl_uint count, struct _cl_mem *const *list);

#endif
