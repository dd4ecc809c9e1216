// SPDX-License-Identifier: Apache-2.0
// OpenCL image formats as Vulkan has them.
//
// Two tables, of channel orders and of channel types, make every format: which VkFormat holds it,
// how a read swizzles, which channels lie in memory. A format can be written by kernels only where
// a store needs no swizzle.
#ifndef PUMICE_OBJECT_IMAGE_FORMAT_H
#define PUMICE_OBJECT_IMAGE_FORMAT_H

#include "object/cl.h"
#include "pumice/kc.h"
#include "vulkan/image.h"

struct device_caps;

struct image_format {
    cl_image_format cl;
    VkFormat vk, stored; // the second where kernels store to it
    VkComponentMapping swizzle; // of reads
    bool swizzled;              // it is not the identity
    bool storable;
    enum kc_texel kind;
    uint32_t texel; // bytes
    const struct image_order *order;
    const struct image_type *type;
};

// CL_SUCCESS, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for what no device may have,
// CL_IMAGE_FORMAT_NOT_SUPPORTED for what we never have.
cl_int image_format_find(const cl_image_format *cl, struct image_format *format);
// All that image_format_find() knows, by index; false behind the last.
bool image_format_at(size_t index, struct image_format *format);

// What a device can do with a format in images of one type.
enum {
    IMAGE_CAN_READ = 1,       // in kernels, by linear samplers where it is not an integer format
    IMAGE_CAN_WRITE = 2,      // in kernels
    IMAGE_CAN_READ_WRITE = 4, // both in one kernel
};
unsigned image_format_abilities(const struct image_format *format,
                                const struct _cl_device_id *device, cl_mem_object_type type);
// The first of the formats that the full or the embedded profile asks for that a device cannot read and write, by name;
// NULL: it has them all.
const char *image_formats_lack(const struct device_caps *caps, const struct vk_facts *facts, bool full);
// Those that an object made with such flags must have.
unsigned image_format_needs(cl_mem_flags flags);

// Whether images of it may be seen in another format as well (sRGB or not), and which formats an
// image made of another may have.
bool image_format_has_twin(const struct image_format *format);
bool image_formats_share(const struct image_format *a, const struct image_format *b);

// The format as a device has it in objects of such a type. Where texels of CL_BGRA are stored as those of CL_RGBA, views put
// channels in order; where buffers have CL_UNORM_INT16 as integers, kernels convert.
struct image_format image_format_on(const struct image_format *format, const struct device_caps *caps,
                                    cl_mem_object_type type);

// The formats that hold the same bits for functions of the other types, by enum kc_texel.
void image_format_raw(const struct image_format *format, const struct device_caps *caps, VkFormat raw[VK_NUMBERS_COUNT]);

// The Vulkan dimension of an image type; not of CL_MEM_OBJECT_IMAGE1D_BUFFER.
enum vk_image_dim image_dim(cl_mem_object_type type);

// A fill colour (float, int or unsigned [4]; one float for depth) -> the bytes of a texel.
void image_format_pack(const struct image_format *format, const void *color, void *texel);

#endif
