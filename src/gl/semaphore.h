// SPDX-License-Identifier: Apache-2.0
// What Vulkan signals and the application's OpenGL context waits for, without the host: sync fds
// (EGL_ANDROID_native_fence_sync), or semaphores (GL_EXT_semaphore_fd).
#ifndef PUMICE_GL_SEMAPHORE_H
#define PUMICE_GL_SEMAPHORE_H

#include "gl/contents.h"

bool gl_waits_fds(const struct gl_share *share);

// On the share's thread. On success the fd, an opaque one, is OpenGL's. 0: it has no such semaphores.
unsigned gl_semaphore_import(struct gl_share *share, int fd);
void gl_semaphore_delete(struct gl_share *share, unsigned name);

// On a thread of the application's: whether its context there is the one that is shared with; and from here on that waits before
// it goes on with these objects. A signal must be on its way.
bool gl_is_own_current(const struct gl_share *share);
bool gl_fd_wait(struct gl_share *share, int fd); // takes the fd
void gl_semaphore_wait(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count);

#endif
