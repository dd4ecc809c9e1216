// SPDX-License-Identifier: Apache-2.0
// OpenCL image formats and their Vulkan equivalents.
//
// Two tables, of channel orders and of channel types, define every format: which VkFormat is used,
// how reads are swizzled, and which channels are in memory. Kernels can write a format only if
// stores need no swizzle.
#ifndef PUMICE_OBJECT_IMAGE_FORMAT_H
#define PUMICE_OBJECT_IMAGE_FORMAT_H

#include "object/cl.h"
#include "pumice/kc.h"
#include "vulkan/image.h"

struct device_caps;

struct image_format {
    cl_image_format cl;
    VkFormat vk, stored; // `stored`: the format that kernels store to
    VkComponentMapping swizzle; // for reads
    bool swizzled;              // it is not the identity
    bool storable;
    enum kc_texel kind;
    uint32_t texel; // bytes
    const struct image_order *order;
    const struct image_type *type;
};

// CL_SUCCESS, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if no device can support it,
// CL_IMAGE_FORMAT_NOT_SUPPORTED if Pumice never supports it.
cl_int image_format_find(const cl_image_format *cl, struct image_format *format);
// All formats that image_format_find() knows, by index; false after the last one.
bool image_format_at(size_t index, struct image_format *format);

// What a device supports for a format in images of one type.
enum {
    IMAGE_CAN_READ = 1,       // in kernels, with linear samplers unless it is an integer format
    IMAGE_CAN_WRITE = 2,      // in kernels
    IMAGE_CAN_READ_WRITE = 4, // both in one kernel
};
unsigned image_format_abilities(const struct image_format *format,
                                const struct _cl_device_id *device, cl_mem_object_type type);
// The name of the first format required by the full or embedded profile that a device cannot read
// and write; NULL: it supports all of them.
const char *image_formats_missing(const struct device_caps *caps, const struct vk_facts *facts,
                                  bool full);
// The abilities needed for an object created with these flags.
unsigned image_format_needs(cl_mem_flags flags);

// Whether images of the format can also be accessed in another format (sRGB or linear); and whether
// an image can be created from another one with that format.
bool image_format_has_twin(const struct image_format *format);
bool image_formats_share(const struct image_format *a, const struct image_format *b);

// The format as a device implements it for objects of this type. If CL_BGRA is stored as CL_RGBA,
// views swizzle the channels; if texel buffers have CL_UNORM_INT16 as integers, kernels convert.
struct image_format image_format_on(const struct image_format *format, const struct device_caps *caps,
                                    cl_mem_object_type type);

// The formats with the same bits for functions of the other number classes, by enum kc_texel.
void image_format_raw(const struct image_format *format, const struct device_caps *caps, VkFormat raw[VK_NUMBERS_COUNT]);

// The Vulkan dimension of an image type; not for CL_MEM_OBJECT_IMAGE1D_BUFFER.
enum vk_image_dim image_dim(cl_mem_object_type type);

// A fill colour (4 floats, ints or unsigned ints; one float for depth) -> the bytes of a texel.
void image_format_pack(const struct image_format *format, const void *color, void *texel);

#endif
