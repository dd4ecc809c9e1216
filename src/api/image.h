// SPDX-License-Identifier: Apache-2.0
// Descriptions of images, as creation and queries of requirements take them.
#ifndef PUMICE_API_IMAGE_H
#define PUMICE_API_IMAGE_H

#include "api/api.h"
#include "object/image.h"

enum image_axis { IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_DEPTH, IMAGE_ARRAY_SIZE, IMAGE_AXES };

// What every device of the context that has images can; 0: images of the type have no such size. Type 0 is all of them
// that have it.
size_t image_size_limit(const struct _cl_context *context, cl_mem_object_type type, enum image_axis axis);

// CL_INVALID_OPERATION where no device of the context has images.
cl_int image_check_context(const struct _cl_context *context);

// Whether every device that has images has images of such a type and such flags.
bool image_format_usable(const struct _cl_context *context, const struct image_format *format, cl_mem_object_type type,
                         cl_mem_flags flags);

// Format, sizes and pitches, checked and complete. Either of the first two may be NULL: its part is left alone.
cl_int image_take_form(const struct _cl_context *context, const cl_image_format *format, const cl_image_desc *given,
                       struct image_desc *desc);

#endif
