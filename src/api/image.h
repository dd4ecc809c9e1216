// SPDX-License-Identifier: Apache-2.0
// Image descriptions, for image creation and for queries of requirements.
#ifndef PUMICE_API_IMAGE_H
#define PUMICE_API_IMAGE_H

#include "api/api.h"
#include "object/image.h"

enum image_axis { IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_DEPTH, IMAGE_ARRAY_SIZE, IMAGE_AXES };

// The limit common to all devices of the context that support images; 0: images of this type do not
// have that size. Type 0: all types that have it.
size_t image_size_limit(const struct _cl_context *context, cl_mem_object_type type, enum image_axis axis);

// CL_INVALID_OPERATION if no device of the context supports images.
cl_int image_check_context(const struct _cl_context *context);

// Whether every device that supports images supports this format for images of this type and flags.
bool image_format_usable(const struct _cl_context *context, const struct image_format *format, cl_mem_object_type type,
                         cl_mem_flags flags);

// Checks format, sizes and pitches and fills in defaults. Either of the first two may be NULL; its
// part of `desc` is then unchanged.
cl_int image_read_desc(const struct _cl_context *context, const cl_image_format *format,
                       const cl_image_desc *given, struct image_desc *desc);

#endif
