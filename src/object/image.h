// SPDX-License-Identifier: Apache-2.0
// Images as memory objects: texels of a format, in a Vulkan image or in a buffer's memory.
//
// An image created from a buffer or from another image has no memory of its own: that object is its
// parent, as for a sub-buffer.
#ifndef PUMICE_OBJECT_IMAGE_H
#define PUMICE_OBJECT_IMAGE_H

#include "command/image.h"
#include "object/image_format.h"
#include "object/memobj.h"

// The image on one device; created when first needed there.
struct image_copy {
    bool made;
    struct vk_image_info info;
    struct vk_image image; // its own, or views of its parent's
    VkBufferView raw_texels[VK_NUMBERS_COUNT];
    struct cmd_surface *surfaces; // one per mip level; kernels use the first
};

struct memobj_image {
    struct image_format format;
    size_t width, height, depth, array_size; // 0 if the type does not have it
    cl_uint levels;                          // as passed; 0 means 1
    size_t row_pitch, slice_pitch;           // as returned by queries
    size_t host_pitches[2];    // of CL_MEM_USE_HOST_PTR memory: distances of rows and slices
    struct image_copy *copies; // one per device of the context
};

struct image_desc {
    struct image_format format;
    cl_mem_object_type type;
    size_t width, height, depth, array_size; // 0 if the type does not have it
    cl_uint levels;                          // 0 means 1
    size_t row_pitch, slice_pitch;           // never 0
    size_t asked_row_pitch, asked_slice_pitch; // requested for memory of another API; 0: the layout
                                               // of that memory
    struct _cl_mem *parent;                  // buffer or image that it is created from, or NULL
};

// From the first byte to the end of the last slice or row, including padding.
size_t image_byte_size(const struct image_desc *desc);

// Arguments are already checked. The contents come from host_ptr as the flags say.
cl_int memobj_create_image(struct _cl_context *context, cl_mem_flags flags,
                           const struct image_desc *desc, void *host_ptr,
                           const struct memobj_options *options, struct _cl_mem **out);

// The texels for commands on a device of the context: level 0, followed by the other levels. Valid
// as long as the image.
cl_int memobj_surface(struct _cl_mem *mem, int device_index, const struct cmd_surface **surface);

// Texels, rows or layers, slices or layers of the whole image.
void image_region(const struct _cl_mem *mem, size_t region[3]);

void image_level_region(const struct _cl_mem *mem, uint32_t level, size_t region[3]);

// For gl.c: replaces the memory of an unused image by memory that others can import; NULL: by
// memory of its own.
cl_int image_reallocate(struct _cl_mem *mem, struct vk_exported *out);
// For gl.c: uses another API's memory for such an image, which then keeps a duplicate of the fd.
cl_int image_import_dma_buf(struct _cl_mem *mem, int fd, const struct vk_plane *plane);
// For memobj.c: frees what belongs to the image, and moves its contents to another device.
void image_finish(struct _cl_mem *mem);
cl_int image_move(struct _cl_mem *mem, int to);

#endif
