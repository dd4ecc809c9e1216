// SPDX-License-Identifier: Apache-2.0
// Images as memory objects: texels of a format, in a Vulkan image or in the memory of a buffer.
//
// An image that is made of a buffer, or of another image, has no memory of its own: that object is
// its parent, as a buffer is a sub-buffer's.
#ifndef PUMICE_OBJECT_IMAGE_H
#define PUMICE_OBJECT_IMAGE_H

#include "command/image.h"
#include "object/image_format.h"
#include "object/memobj.h"

// What the image is on one device; made when it is first needed there.
struct image_copy {
    bool made;
    struct vk_image_info info;
    struct vk_image image; // its own, or views of its parent's
    VkBufferView raw_texels[VK_NUMBERS_COUNT];
    struct cmd_surface *surfaces; // one a mip level; kernels see the first
};

struct memobj_image {
    struct image_format format;
    size_t width, height, depth, array_size; // 0 where the type has none
    cl_uint levels;                          // as given; 0 is 1
    size_t row_pitch, slice_pitch;           // as queries show them
    size_t host_pitches[2];    // of CL_MEM_USE_HOST_PTR's memory: from row to row, slice to slice
    struct image_copy *copies; // one per device of the context
};

struct image_desc {
    struct image_format format;
    cl_mem_object_type type;
    size_t width, height, depth, array_size; // 0 where the type has none
    cl_uint levels;                          // 0 is 1
    size_t row_pitch, slice_pitch;           // complete
    size_t asked_row_pitch, asked_slice_pitch; // of memory that is another API's; 0: as that has it
    struct _cl_mem *parent;                  // buffer or image that it is made of, or NULL
};

// From the first byte to the end of the last slice or row, padding included.
size_t image_byte_size(const struct image_desc *desc);

// Everything is checked. Contents come from host_ptr as the flags say.
cl_int memobj_create_image(struct _cl_context *context, cl_mem_flags flags,
                           const struct image_desc *desc, void *host_ptr,
                           const struct memobj_wishes *wishes, struct _cl_mem **out);

// The texels for commands of a device of the context: of level 0, those of the others follow. Valid for as long as the
// image is.
cl_int memobj_surface(struct _cl_mem *mem, int device_index, const struct cmd_surface **surface);

// Texels, rows or layers, slices or layers of the whole image.
void image_region(const struct _cl_mem *mem, size_t region[3]);

void image_level_region(const struct _cl_mem *mem, uint32_t level, size_t region[3]);

// For gl.c: memory that others can import for an image that nobody has used yet; with NULL its own again.
cl_int image_renew(struct _cl_mem *mem, struct vk_exported *out);
// For it: memory of another API's for such an image, which then keeps a copy of the fd.
cl_int image_import_dma_buf(struct _cl_mem *mem, int fd, const struct vk_plane *plane);
// For memobj.c: what goes with the object, and a move of its contents to another device.
void image_finish(struct _cl_mem *mem);
cl_int image_move(struct _cl_mem *mem, int to);

#endif
