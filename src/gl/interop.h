// SPDX-License-Identifier: Apache-2.0
// The structs of Mesa's interop interface (EGL_MESA_gl_interop, GLX_MESA_gl_interop), version 2.
#ifndef PUMICE_GL_INTEROP_H
#define PUMICE_GL_INTEROP_H

#include <stddef.h>
#include <stdint.h>

enum { INTEROP_VERSION = 2, INTEROP_FLUSH_VERSION = 1 };

struct interop_in {
    uint32_t version;
    unsigned target, name, level;
    uint32_t access; // 0: read and write
    uint32_t driver_data_size;
    void *driver_data;
};

struct interop_out {
    uint32_t version;
    int fd;
    unsigned internal;
    ptrdiff_t buffer_offset, buffer_size;
    unsigned first_level, levels, first_layer, layers; // of a view
    uint32_t driver_data_written;
    uint32_t width, height, depth, pitch; // this and the following: from version 2 on
    uint64_t modifier;
};

struct interop_flush {
    uint32_t version;
    void **sync;
    int *fence_fd;
};

// For a display and a context. NULL: not supported. Both return 0 on success.
struct gl_interop {
    int (*export)(void *display, void *context, struct interop_in *in, struct interop_out *out);
    int (*flush)(void *display, void *context, unsigned count, struct interop_in *list, struct interop_flush *out);
};

#endif
