// SPDX-License-Identifier: Apache-2.0
// Copies between an OpenGL object and the device, for gl.c and gl_paths.c; all but the last three
// functions run on the share's thread.
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
// A host-visible buffer of at least `size` bytes, shared by all objects.
cl_int gl_stage(const struct gl_item *item, int device_index, uint64_t size, struct vk_buffer **out);
// Copies between the object's memory on the device and the staging buffer; returns when done.
cl_int gl_copy_staged(const struct gl_item *item, int device_index, int level,
                      struct vk_buffer *staging, bool to_object);
// Transfers ownership of the memory to Vulkan (`ours`) or OpenGL; returns when done.
cl_int gl_transfer_ownership(const struct gl_item *item, int device_index, bool ours);
const char *gl_kind_name(const struct memobj_gl *gl);
// Whether the device uses the object's memory directly, without copies.
static inline bool gl_is_direct(const struct memobj_gl *gl)
{
    return gl->external == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
}

// Number of semaphore waits that the application's OpenGL context has been given so far; and marks
// those as passed.
uint64_t gl_signals_told(struct context_share *share);
void gl_signals_seen(struct context_share *share, uint64_t issued);
void gl_signals_finish(struct context_share *share, struct vk_device *device);

// A semaphore of Vulkan that OpenGL has imported: its OpenGL name, or 0.
unsigned gl_make_semaphore(struct context_share *share, struct vk_device *device, struct cmd_binary *binary);

// Such a semaphore while one side signals it and the other waits (gl_ordered.c). NULL: all are in
// use, or not supported.
struct gl_order {
    struct cmd_binary binary;
    unsigned name;
    struct command *waits; // counted; Vulkan's last wait. NULL: none, or it is complete
    bool busy;
};
struct gl_order *gl_order_take(struct context_share *share, struct vk_device *device);
// It is free when `waits` (counted) is complete; NULL: now.
void gl_order_give(struct context_share *share, struct gl_order *order, struct command *waits);
void gl_orders_finish(struct context_share *share, struct vk_device *device);

#endif
