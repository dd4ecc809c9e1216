// SPDX-License-Identifier: Apache-2.0
// GPU-side waits of the application's OpenGL context for signals from Vulkan: by sync fds
// (EGL_ANDROID_native_fence_sync) or semaphores (GL_EXT_semaphore_fd).
#ifndef PUMICE_GL_SEMAPHORE_H
#define PUMICE_GL_SEMAPHORE_H

#include "gl/contents.h"

bool gl_can_wait_fds(const struct gl_share *share);

// On the share's thread. On success OpenGL takes the opaque fd. 0: not supported.
unsigned gl_semaphore_import(struct gl_share *share, int fd);
void gl_semaphore_delete(struct gl_share *share, unsigned name);

// On a thread of the application: whether the shared context is current there; and making its later
// commands on these objects wait. The signal must already be submitted.
bool gl_is_own_current(const struct gl_share *share);
bool gl_fd_wait(struct gl_share *share, int fd); // takes the fd
void gl_semaphore_wait(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count);

#endif
