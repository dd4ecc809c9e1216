// SPDX-License-Identifier: Apache-2.0
// For the image functions: the kinds of images, and their coordinates.
//
// A coordinate is an int4 for all images: its dimensions, then the layer of an array, then ignored components.
#include "lib.h"

// IMAGE(type, dimensions, layered, type of an integer coordinate, of a float coordinate)
#define COLOR_IMAGES                                                                               \
    IMAGE(image1d_t, 1, 0, int, float)                                                             \
    IMAGE(image1d_array_t, 1, 1, int2, float2)                                                     \
    IMAGE(image2d_t, 2, 0, int2, float2)                                                           \
    IMAGE(image2d_array_t, 2, 1, int4, float4)                                                     \
    IMAGE(image3d_t, 3, 0, int4, float4)

#define DEPTH_IMAGES                                                                               \
    IMAGE(image2d_depth_t, 2, 0, int2, float2)                                                     \
    IMAGE(image2d_array_depth_t, 2, 1, int4, float4)

// Whether the texels of a buffer are 16-bit normalized values that the device can read only as integers.
#define BY_UINT(image) (__image_by_uint(image) && get_image_channel_data_type(image) == CLK_UNORM_INT16)

// Widens a coordinate to four components.
#define PLACE_int(x) ((int4)(x, 0, 0, 0))
#define PLACE_int2(x) ((int4)(x, 0, 0))
#define PLACE_int4(x) (x)
#define PLACE_float(x) ((float4)(x, 0, 0, 0))
#define PLACE_float2(x) ((float4)(x, 0, 0))
#define PLACE_float4(x) (x)
