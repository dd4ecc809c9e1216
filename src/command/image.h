// SPDX-License-Identifier: Apache-2.0
// Images as the command layer sees them, and the commands on them.
//
// The texels of a surface are in a Vulkan image or, as rows, in a buffer. Origins and regions count
// texels, rows and slices as OpenCL does: the layer of a 1D array is the second coordinate, that of
// a 2D array the third. A `cmd_rect` of host memory is in bytes with both pitches set; for a 1D
// array the row pitch is the distance between layers.
#ifndef PUMICE_COMMAND_IMAGE_H
#define PUMICE_COMMAND_IMAGE_H

#include "command/command.h"
#include "vulkan/image.h"

struct cmd_surface {
    struct vk_image *image;   // NULL: rows in a buffer
    struct vk_buffer *buffer; // holds the rows
    uint64_t offset, row_pitch, slice_pitch; // slice pitch 0: no slices
    VkBufferView texels;              // of a 1D buffer image
    VkBufferView *raw_texels; // indexed by number class, created when first needed
    const struct vk_image_info *info; // of the image, or of an image that the rows can be copied to
    uint32_t texel;                   // bytes
    enum kc_texel kind;
    // For kernels that query them: cl_channel_order, cl_channel_type; width, height, depth or
    // layers of level 0.
    uint32_t order, type, size[4]; // the last: number of mip levels
    uint32_t level;                // the mip level that commands access
};

// For a region of a surface in a buffer: the number of bytes that it spans, beginning at *first.
uint64_t cmd_surface_span(const struct cmd_surface *surface, const size_t origin[3], const size_t region[3],
                          uint64_t *first);

cl_int cmd_image_write(const struct cmd_request *request, const struct cmd_surface *surface,
                       const size_t origin[3], const size_t region[3], const void *data,
                       const struct cmd_rect *host);
cl_int cmd_image_read(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], void *data,
                      const struct cmd_rect *host);
// Copies between surfaces of one format.
cl_int cmd_image_copy(const struct cmd_request *request, const struct cmd_surface *src,
                      const size_t src_origin[3], const struct cmd_surface *dst,
                      const size_t dst_origin[3], const size_t region[3]);
// Copies texels to or from packed bytes at `offset` of a buffer.
cl_int cmd_image_to_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                           const size_t origin[3], const size_t region[3], struct vk_buffer *buffer,
                           uint64_t offset);
cl_int cmd_image_from_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                             const size_t origin[3], const size_t region[3],
                             struct vk_buffer *buffer, uint64_t offset);
// `texel`: the bytes of one texel.
cl_int cmd_image_fill(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], const void *texel);

// Like cmd_map(); `pitches` (row, slice) describe the texels at *pointer. `host`, if not NULL, is
// where the surface must appear, with pitches of its own.
cl_int cmd_image_map(const struct cmd_request *request, const struct cmd_surface *surface,
                     const size_t origin[3], const size_t region[3], void *host,
                     const size_t host_pitches[2], cl_map_flags flags, struct cmd_mapping **mapping,
                     void **pointer, size_t pitches[2]);

// Initializes the layout of a new image. Must be the first command on it, on any queue.
cl_int cmd_image_begin(const struct cmd_request *request, struct vk_image *image);

#endif
