// SPDX-License-Identifier: Apache-2.0
// Images in optimal tiling, and texel views of buffers.
//
// An image has memory of its own out of big chunks and is in the layout GENERAL for as long as it
// lives, once vk_image_begin() has been recorded. Two views come with it: one that is sampled (it
// may swizzle), one that is stored to; each only where it is asked for. Views that take its bits
// for numbers of another class are made when they are first asked for.
#ifndef PUMICE_VULKAN_IMAGE_H
#define PUMICE_VULKAN_IMAGE_H

#include "vulkan/memory.h"

enum vk_image_dim {
    VK_IMAGE_DIM_1D,
    VK_IMAGE_DIM_1D_ARRAY,
    VK_IMAGE_DIM_2D,
    VK_IMAGE_DIM_2D_ARRAY,
    VK_IMAGE_DIM_3D,
};

enum { VK_IMAGE_LEVELS = 16 }; // that kernels may write

// What shaders take a format's numbers for; a format is of one class.
enum vk_numbers { VK_NUMBERS_FLOAT, VK_NUMBERS_INT, VK_NUMBERS_UINT, VK_NUMBERS_COUNT };

// How another API has laid out the one plane of an image in a dma_buf.
struct vk_plane {
    bool given; // else rows, as Vulkan lays them out
    uint64_t modifier; // of DRM
    VkDeviceSize offset, pitch;
};

struct vk_image_info {
    enum vk_image_dim dim;
    VkFormat format;
    VkFormat stored;                // of the storage view, of the same bits; VK_FORMAT_UNDEFINED: the same
    uint32_t texel;                 // bytes
    uint32_t extent[3];             // texels; 1 in dimensions that it has not
    uint32_t layers;                // 1 where it is no array
    uint32_t levels;                // mip levels; 0 is 1
    VkComponentMapping swizzle;     // of the sampled view
    bool sampled, storage;          // the views that it needs
    bool other_formats;             // views of other formats will be made of it
    VkExternalMemoryHandleTypeFlagBits
        external;                   // of memory that is another API's; 0: it has its own
    struct vk_plane plane;          // of a dma_buf
    VkFormat raw[VK_NUMBERS_COUNT]; // the same bits as other numbers; VK_FORMAT_UNDEFINED: no such
};

// Zeroed = none.
struct vk_image {
    struct vk_device *device;
    VkImage handle;
    VkImageView sampled, storage;
    VkImageView raw_sampled[VK_NUMBERS_COUNT], raw_storage[VK_NUMBERS_COUNT];
    struct vk_image_levels *levels; // NULL: none but the first was written by kernels
    enum vk_image_dim dim;
    bool alias;             // the handle and the memory are another's
    struct vk_buffer range; // of memory; its address tells the image from all others
};

// What kernels call a format, where they must say it; 0: it has no name that the device knows.
uint32_t vk_format_name(const struct vk_facts *facts, VkFormat format);
// Whether a format with these abilities (of images or of buffers: `storage` is the bit) can be stored to by kernels, and
// loaded from where it is stored to.
bool vk_format_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                      VkFormatFeatureFlags2 storage);
bool vk_format_reads_and_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                                VkFormatFeatureFlags2 storage);

// The format of the storage view.
VkFormat vk_image_stored_format(const struct vk_image_info *info);
// Whether an image of this kind and size can be.
bool vk_image_fits(const struct vk_physical *physical, const struct vk_image_info *info);

// Contents are undefined. VK_ERROR_OUT_OF_DEVICE_MEMORY also for what does not fit.
VkResult vk_image_create(struct vk_device *device, const struct vk_image_info *info,
                         struct vk_image *image);
// Views of another image, which must outlive them: format, swizzle and views are those of `info`.
VkResult vk_image_create_alias(const struct vk_image *of, const struct vk_image_info *info,
                               struct vk_image *image);
// For external.c: an image without memory, its layout where it is linear, whether its memory must
// be its alone; and its views.
VkResult vk_image_make(struct vk_device *device, const struct vk_image_info *info,
                       struct vk_image *image, VkSubresourceLayout *layout, bool *dedicated);
VkResult vk_image_make_views(struct vk_image *image, const struct vk_image_info *info);
// A zeroed image is allowed; the device must be done with it.
void vk_image_destroy(struct vk_image *image);

// The format of the view that takes the bits for numbers of that class; VK_FORMAT_UNDEFINED where there is none.
// `info` is the image's.
VkFormat vk_image_raw_format(const struct vk_device *device, const struct vk_image_info *info,
                             enum vk_numbers numbers, bool storage);
// The view itself, or VK_NULL_HANDLE.
VkResult vk_image_raw_view(struct vk_image *image, const struct vk_image_info *info,
                           enum vk_numbers numbers, bool storage, VkImageView *view);

// The storage view of a further level, for functions of that class of numbers; VK_NULL_HANDLE where there is none.
VkResult vk_image_level_view(struct vk_image *image, const struct vk_image_info *info, enum vk_numbers numbers, bool own,
                             uint32_t level, VkImageView *view);

// Puts a new image into its layout; comes before all else that is done with it.
void vk_image_begin(const struct vk_image *image, VkCommandBuffer commands);

// Whether buffers, with all their usages, can hold texels of a format.
bool vk_texels_fit(const struct vk_physical *physical, VkFormat format);
// A view of `size` bytes of a buffer as texels.
VkResult vk_texels_create(const struct vk_buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                          VkFormat format, VkBufferView *view);
void vk_texels_destroy(struct vk_device *device, VkBufferView view);

#endif
