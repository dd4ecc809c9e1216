// SPDX-License-Identifier: Apache-2.0
// write_image* and the sizes that come as vectors.
#include "image.h"

#define WRITE(T, image_type, I, name, suffix, MADE)                                                \
    LIB void name(write_only image_type image, I at, T texel)                                      \
    {                                                                                              \
        __image_write##suffix(image, PLACE_##I(at), MADE(texel));                                  \
    }

#define ALL(x) (x)
#define SPREAD(x) ((float4)(x, 0, 0, 1))
#ifdef cl_khr_fp16
#define WRITE_HALF(image_type, I)                                                                  \
    WRITE(half4, image_type, I, write_imageh, f, convert_float4)
#else
#define WRITE_HALF(image_type, I)
#endif

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE(float4, image_type, I, write_imagef, f, ALL)                                             \
    WRITE_HALF(image_type, I)                                                                      \
    WRITE(int4, image_type, I, write_imagei, i, ALL)                                               \
    WRITE(uint4, image_type, I, write_imageui, ui, ALL)
COLOR_IMAGES
IMAGE(image1d_buffer_t, 1, 0, int, float)
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    WRITE(float, image_type, I, write_imagef, f, SPREAD)
DEPTH_IMAGES
#undef IMAGE

#define IMAGE(image_type, dims, layered, I, F)                                                     \
    LIB int##dims##_size get_image_dim(image_type image) { return SIZE_##dims; }
#define int2_size int2
#define int3_size int4
#define SIZE_2 (int2)(get_image_width(image), get_image_height(image))
#define SIZE_3 (int4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0)
DEPTH_IMAGES
IMAGE(image2d_t, 2, 0, int2, float2)
IMAGE(image2d_array_t, 2, 1, int4, float4)
IMAGE(image3d_t, 3, 0, int4, float4)
