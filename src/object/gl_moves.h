// SPDX-License-Identifier: Apache-2.0
// Moves of contents between an object of OpenGL and the device, for gl.c and gl_ways.c; all but the last on the share's thread.
#ifndef PUMICE_OBJECT_GL_MOVES_H
#define PUMICE_OBJECT_GL_MOVES_H

#include "object/gl.h"

struct gl_item {
    struct _cl_mem *mem;
    const struct cmd_surface *surface; // NULL: a buffer
    struct vk_buffer *buffer;
    uint64_t offset;
    bool changed;
};

uint64_t gl_level_bytes(const struct gl_item *item, int level);
// A buffer that host and device see, of `size` bytes at least; the same for all.
cl_int gl_stage(const struct gl_item *item, int device_index, uint64_t size, struct vk_buffer **out);
// Between the object's memory on the device and what is staged; returns when done.
cl_int gl_shift(const struct gl_item *item, int device_index, int level, struct vk_buffer *staging, bool to_object);
// The memory becomes Vulkan's, or OpenGL's; returns when done.
cl_int gl_pass(const struct gl_item *item, int device_index, bool ours);
const char *gl_kind_name(const struct memobj_gl *gl);
// Nothing is copied: the device has the object's memory.
static inline bool gl_is_own(const struct memobj_gl *gl)
{
    return gl->external == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
}

// Waits for semaphores that the application's context has been told so far; that it has passed those.
uint64_t gl_signals_told(struct context_share *share);
void gl_signals_seen(struct context_share *share, uint64_t told);
void gl_signals_finish(struct context_share *share, struct vk_device *device);

#endif
