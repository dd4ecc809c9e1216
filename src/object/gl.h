// SPDX-License-Identifier: Apache-2.0
// Memory objects made from objects of OpenGL and EGL.
//
// Where it can such an object uses the memory of OpenGL's as it is, and acquiring and releasing tell each side of the other's
// writes. Else it has memory of its own: acquiring copies the contents of OpenGL's object into it, releasing copies them back,
// on the thread of the share (gl/share.h) and only where needed: an object that kernels only write is read when it is first
// acquired and not again, one that no command has changed since is not written.
#ifndef PUMICE_OBJECT_GL_H
#define PUMICE_OBJECT_GL_H

#include <stdatomic.h>

#include "gl/contents.h"
#include "object/image.h"

enum { GL_TRIED = 64 }; // kinds of objects: the rest the host copies

// A share, of a context.
struct context_share {
    struct context_share *next;
    struct gl_share *share;
    struct vk_buffer *staging; // one per device of the context, made when needed; the share's thread's own, as what follows
    // Whether objects of these kinds, or copies of them by the device, come out right; in the order in which they were tried.
    struct gl_tried {
        unsigned target, internal;
        int level;
        bool mipmapped, drawn, copied, right;
    } tried[GL_TRIED];
    unsigned tried_count;
    _Atomic(struct gl_signals *) signals; // gl_signal.c; NULL: none as yet
};

struct memobj_gl {
    struct context_share *share;
    struct gl_object object;
    bool egl;
    VkExternalMemoryHandleTypeFlagBits external; // of memory that OpenGL reaches: DMA_BUF, the object's own; OPAQUE_FD, its mirror
    cl_gl_object_type type; // the rest: as clCreateFromGL...() was told; not of EGL
    cl_GLuint name;
    cl_GLenum target;
    cl_GLint level;
    atomic_bool acquired, changed; // by what has been enqueued: by OpenCL, since it was acquired
    bool filled;                   // has been read once; the share's thread's own
};

// gl_share_open(), for which the end of the process is made safe.
enum gl_result gl_open(const struct gl_origin *origin, struct gl_share **out);
// With what the context is made for.
cl_int context_open_share(struct _cl_context *context, const struct gl_origin *origin);
// The share for images of an EGL display: that of the context, if it is of this display, or one made for it.
cl_int context_share_for(struct _cl_context *context, void *display, struct context_share **out);
void context_close_shares(struct _cl_context *context);

cl_int gl_error(enum gl_result result, cl_int no_object);

// Takes the description over: from then on the object is OpenGL's too. Its memory may be changed for some that OpenGL reaches.
cl_int memobj_set_gl(struct _cl_mem *mem, const struct memobj_gl *gl);
void gl_object_forget(const struct memobj_gl *gl); // what was made for it in OpenGL
void memobj_gl_finish(struct _cl_mem *mem);
// A command that is enqueued may write to it.
void memobj_note_change(struct _cl_mem *mem);

// What an acquire or a release moves.
struct gl_turn;
cl_int gl_turn_create(struct _cl_context *context, int device_index, bool acquires, cl_uint count, struct gl_turn **out);
// Its memory on the device, which lives for as long as the command does: a surface, or a buffer and an offset.
void gl_turn_add(struct gl_turn *turn, struct _cl_mem *mem, const struct cmd_surface *surface, struct vk_buffer *buffer,
                 uint64_t offset);
void gl_turn_wait(struct gl_turn *turn, struct context_share *share, void *fence); // first
cl_int gl_turn_enqueue(const struct cmd_request *request, struct gl_turn *turn);
void gl_turn_release(void *turn);
// True: the caller's OpenGL context waits for a release, which has been flushed. False: it cannot.
bool gl_signal_release(struct _cl_command_queue *queue, struct command *command, cl_uint count, struct _cl_mem *const *list);

#endif
