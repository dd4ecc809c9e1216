// SPDX-License-Identifier: Apache-2.0
// Exports the memory of OpenGL objects as dma_bufs, for use without copies. All functions run on
// the share's thread.
//
// Mesa's interop interface (EGL_MESA_gl_interop, GLX_MESA_gl_interop) exports all objects with one
// plane that begin at the start of their memory; EGL_MESA_image_dma_buf_export exports 2D images,
// also levels and faces of cubes, with formats that DRM supports. Some drivers report wrong offsets
// of levels and faces: test with gl_duplicate()'s object first.
#ifndef PUMICE_GL_EXPORT_H
#define PUMICE_GL_EXPORT_H

#include "gl/contents.h"

struct gl_exported {
    int fd; // owned by the caller; -1: none
    uint64_t modifier;
    uint64_t offset; // of the texels; a buffer begins at the start of the memory
    uint32_t pitch;  // of a row of texels, in bytes
    const char *by;
};

// GL_NO_SYSTEM: it cannot be exported.
enum gl_result gl_export(struct gl_share *share, const struct gl_object *object, struct gl_exported *out);
void gl_export_close(struct gl_exported *exported); // closes the fd, if there is one
// Makes OpenGL's writes visible outside, once its commands are complete.
void gl_export_flush(struct gl_share *share, const struct gl_object *object);

// A temporary object of the same kind, format and size, with the same mirror and undefined
// contents; free by gl_duplicate_end().
bool gl_can_duplicate(const struct gl_object *object);
enum gl_result gl_duplicate(struct gl_share *share, const struct gl_object *object,
                            struct gl_object *duplicate);
void gl_duplicate_end(struct gl_share *share, struct gl_object *duplicate);

#endif
