// SPDX-License-Identifier: Apache-2.0
// The part common to enqueued and recorded commands, between begin and end, including all checks.
#ifndef PUMICE_API_RECORD_H
#define PUMICE_API_RECORD_H

#include "api/api.h"

// transfer.c
struct rect_side { // one side of a rectangular transfer, as passed by the application
    const size_t *origin;
    size_t row_pitch, slice_pitch;
};
cl_int transfer_copy(struct api_enqueue *enqueue, cl_mem src, cl_mem dst, size_t src_offset, size_t dst_offset,
                     size_t size);
cl_int transfer_copy_rect(struct api_enqueue *enqueue, cl_mem src, const struct rect_side *src_side, cl_mem dst,
                          const struct rect_side *dst_side, const size_t *region);
cl_int transfer_fill(struct api_enqueue *enqueue, cl_mem buffer, const void *pattern, size_t pattern_size,
                     size_t offset, size_t size);

// image_transfer.c
struct image_buffer_call {
    cl_mem image, buffer;
    const size_t *origin, *region;
    size_t offset;
    bool to_image;
};
cl_int transfer_copy_image(struct api_enqueue *enqueue, cl_mem src, cl_mem dst, const size_t *src_origin,
                           const size_t *dst_origin, const size_t *region);
cl_int transfer_image_buffer(struct api_enqueue *enqueue, const struct image_buffer_call *call);
cl_int transfer_fill_image(struct api_enqueue *enqueue, cl_mem image, const void *color, const size_t *origin,
                           const size_t *region);

// svm.c
cl_int svm_copy(struct api_enqueue *enqueue, void *dst, const void *src, size_t size);
cl_int svm_fill(struct api_enqueue *enqueue, void *svm_ptr, const void *pattern, size_t pattern_size, size_t size);

// launch.c
struct launch_call {
    cl_kernel kernel;
    cl_uint dims;
    const size_t *offset, *global, *local;
};
cl_int launch_kernel(struct api_enqueue *enqueue, const struct launch_call *call);

#endif
