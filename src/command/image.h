// SPDX-License-Identifier: Apache-2.0
// Images as commands see them, and what is enqueued on them.
//
// The texels of a surface lie in a Vulkan image or, in rows, in a buffer. Origins and regions count
// texels, rows, slices as OpenCL does: the layer of a 1D array is the second of the three, of a 2D
// array the third. `cmd_rect`s of host memory are in bytes, their pitches complete; a 1D array's
// row pitch is from layer to layer.
#ifndef PUMICE_COMMAND_IMAGE_H
#define PUMICE_COMMAND_IMAGE_H

#include "command/command.h"
#include "vulkan/image.h"

struct cmd_surface {
    struct vk_image *image;   // NULL: rows in a buffer
    struct vk_buffer *buffer; // which they lie in
    uint64_t offset, row_pitch, slice_pitch; // 0: it has no slices
    VkBufferView texels;              // of a 1D buffer image
    VkBufferView *raw_texels; // by the class of numbers, made when first needed
    const struct vk_image_info *info; // of the image, or of one that the rows can be copied to
    uint32_t texel;                   // bytes
    enum kc_texel kind;
    // For kernels that ask: cl_channel_order, cl_channel_type; width, height, depth or layers, of level 0.
    uint32_t order, type, size[4]; // the last: mip levels
    uint32_t level;                // of those, the one that commands see
};

// Of a region of a surface that lies in a buffer: the bytes that it spans there from *first on.
uint64_t cmd_surface_span(const struct cmd_surface *surface, const size_t origin[3], const size_t region[3],
                          uint64_t *first);

cl_int cmd_image_write(const struct cmd_request *request, const struct cmd_surface *surface,
                       const size_t origin[3], const size_t region[3], const void *data,
                       const struct cmd_rect *host);
cl_int cmd_image_read(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], void *data,
                      const struct cmd_rect *host);
// Between surfaces of one format.
cl_int cmd_image_copy(const struct cmd_request *request, const struct cmd_surface *src,
                      const size_t src_origin[3], const struct cmd_surface *dst,
                      const size_t dst_origin[3], const size_t region[3]);
// Texels as packed bytes at `offset` of a buffer.
cl_int cmd_image_to_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                           const size_t origin[3], const size_t region[3], struct vk_buffer *buffer,
                           uint64_t offset);
cl_int cmd_image_from_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                             const size_t origin[3], const size_t region[3],
                             struct vk_buffer *buffer, uint64_t offset);
// `texel`: the bytes of one.
cl_int cmd_image_fill(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], const void *texel);

// As cmd_map(); `pitches` (row, slice) are those of the texels at *pointer. `host`, when not NULL,
// is where the surface must appear, with pitches of its own.
cl_int cmd_image_map(const struct cmd_request *request, const struct cmd_surface *surface,
                     const size_t origin[3], const size_t region[3], void *host,
                     const size_t host_pitches[2], cl_map_flags flags, struct cmd_mapping **mapping,
                     void **pointer, size_t pitches[2]);

// The first command on a new image, before any other is enqueued on any queue.
cl_int cmd_image_begin(const struct cmd_request *request, struct vk_image *image);

#endif
