// SPDX-License-Identifier: Apache-2.0
// The memory of OpenGL's objects as dma_bufs, for those who use it without a copy. All of this runs on the share's thread.
//
// Mesa's interop interface (EGL_MESA_gl_interop, GLX_MESA_gl_interop) exports all that has one plane and begins where its memory
// does; EGL_MESA_image_dma_buf_export exports 2D images, levels and faces of cubes too, of formats that DRM knows.
// Where levels and faces lie some drivers tell wrongly: try it on gl_twin()'s object first.
#ifndef PUMICE_GL_EXPORT_H
#define PUMICE_GL_EXPORT_H

#include "gl/contents.h"

struct gl_exported {
    int fd; // the caller's; -1: none
    uint64_t modifier;
    uint64_t offset; // of texels; a buffer begins with the memory
    uint32_t pitch;  // of a row of texels, bytes
    const char *by;
};

// GL_NO_SYSTEM: it cannot be exported.
enum gl_result gl_export(struct gl_share *share, const struct gl_object *object, struct gl_exported *out);
void gl_export_close(struct gl_exported *exported); // the fd, if there is one
// What OpenGL has written there is seen outside, once its commands are done.
void gl_export_flush(struct gl_share *share, const struct gl_object *object);

// An object of our own of the same kind, format and size, with the same mirror and with undefined contents, until gl_twin_end().
bool gl_has_twins(const struct gl_object *object);
enum gl_result gl_twin(struct gl_share *share, const struct gl_object *object, struct gl_object *twin);
void gl_twin_end(struct gl_share *share, struct gl_object *twin);

#endif
