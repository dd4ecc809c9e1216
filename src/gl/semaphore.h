// SPDX-License-Identifier: Apache-2.0
// Waits on the GPU between the application's OpenGL context and Vulkan: by sync fds
// (EGL_ANDROID_native_fence_sync) or semaphores (GL_EXT_semaphore_fd).
#ifndef PUMICE_GL_SEMAPHORE_H
#define PUMICE_GL_SEMAPHORE_H

#include "gl/contents.h"

bool gl_can_wait_fds(const struct gl_share *share);

// Mesa's fences pass waits that are not followed by other commands, so they do not tell when such a
// semaphore can be signalled again.
bool gl_fences_pass_waits(const struct gl_share *share);

// On the share's thread. On success OpenGL takes the opaque fd. 0: not supported.
unsigned gl_semaphore_import(struct gl_share *share, int fd);
void gl_semaphore_delete(struct gl_share *share, unsigned name);

// On a thread of the application: whether the shared context is current there; and making its later
// commands on these objects (or their mirrors) wait. The signal must already be submitted.
bool gl_is_own_current(const struct gl_share *share);
bool gl_fd_wait(struct gl_share *share, int fd); // takes the fd
void gl_semaphore_wait(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count);
// Signals after its commands so far, and flushes them.
void gl_semaphore_signal(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count);

// Whether the application's context, current on this thread, can copy to and from mirrors without
// changing its state; and such a copy. Errors would be the application's, so copies of this object
// must have succeeded before. Not for `drawn` objects.
bool gl_orders_copies(const struct gl_share *share);
bool gl_can_order(const struct gl_share *share, const struct gl_object *object);
void gl_copy_ordered(struct gl_share *share, const struct gl_object *object, bool to_mirror);

#endif
