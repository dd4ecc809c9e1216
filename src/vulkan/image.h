// SPDX-License-Identifier: Apache-2.0
// Images with optimal tiling, and texel views of buffers.
//
// An image has memory of its own from large chunks and stays in the layout GENERAL once
// vk_image_begin() has been recorded. It has up to two views: one for sampling (which may swizzle)
// and one for storing. Views that reinterpret its bits as another number class are created when
// first needed.
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

// How shaders interpret a format's numbers; each format belongs to one class.
enum vk_numbers { VK_NUMBERS_FLOAT, VK_NUMBERS_INT, VK_NUMBERS_UINT, VK_NUMBERS_COUNT };

// How another API has laid out the single plane of an image in a dma_buf.
struct vk_plane {
    bool given; // else rows, in Vulkan's linear layout
    uint64_t modifier; // DRM format modifier
    VkDeviceSize offset, pitch;
};

struct vk_image_info {
    enum vk_image_dim dim;
    VkFormat format;
    VkFormat stored;                // of the storage view, with the same bits; VK_FORMAT_UNDEFINED:
                                    // the same format
    uint32_t texel;                 // bytes
    uint32_t extent[3];             // texels; 1 in unused dimensions
    uint32_t layers;                // 1 if it is not an array
    uint32_t levels;                // mip levels; 0 means 1
    VkComponentMapping swizzle;     // of the sampled view
    bool sampled, storage;          // views to create
    bool other_formats;             // views with other formats will be created
    VkExternalMemoryHandleTypeFlagBits
        external;                   // of memory that is another API's; 0: it has its own
    struct vk_plane plane;          // of a dma_buf
    VkFormat raw[VK_NUMBERS_COUNT]; // formats with the same bits as other number classes;
                                    // VK_FORMAT_UNDEFINED: none
};

// Zeroed: no image.
struct vk_image {
    struct vk_device *device;
    VkImage handle;
    VkImageView sampled, storage;
    VkImageView raw_sampled[VK_NUMBERS_COUNT], raw_storage[VK_NUMBERS_COUNT];
    struct vk_image_levels *levels; // NULL: kernels have written only the first level
    enum vk_image_dim dim;
    bool alias;             // handle and memory belong to another image
    struct vk_buffer range; // of memory; its address identifies the image
};

// The SPIR-V name of a format, for kernels that must name it; 0: the device supports no name for
// it.
uint32_t vk_format_name(const struct vk_facts *facts, VkFormat format);
// Whether kernels can store to a format with these features (of images or buffers: `storage` is the
// feature bit), and whether they can also load from it.
bool vk_format_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                      VkFormatFeatureFlags2 storage);
bool vk_format_reads_and_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                                VkFormatFeatureFlags2 storage);

// The format of the storage view.
VkFormat vk_image_stored_format(const struct vk_image_info *info);
// Whether the device supports an image of this kind and size.
bool vk_image_fits(const struct vk_physical *physical, const struct vk_image_info *info);

// Contents are undefined. VK_ERROR_OUT_OF_DEVICE_MEMORY also if a limit is exceeded.
VkResult vk_image_create(struct vk_device *device, const struct vk_image_info *info,
                         struct vk_image *image);
// Views of another image, which must outlive them; format, swizzle and views are given by `info`.
VkResult vk_image_create_alias(const struct vk_image *of, const struct vk_image_info *info,
                               struct vk_image *image);
// For external.c: an image without memory, its layout if linear, and whether it needs a dedicated
// allocation; and its views.
VkResult vk_image_make(struct vk_device *device, const struct vk_image_info *info,
                       struct vk_image *image, VkSubresourceLayout *layout, bool *dedicated);
VkResult vk_image_make_views(struct vk_image *image, const struct vk_image_info *info);
// A zeroed image is allowed. The device must have finished using it.
void vk_image_destroy(struct vk_image *image);

// The format of the view that reinterprets the bits as that number class; VK_FORMAT_UNDEFINED:
// none. `info` is the image's.
VkFormat vk_image_raw_format(const struct vk_device *device, const struct vk_image_info *info,
                             enum vk_numbers numbers, bool storage);
// The view itself, or VK_NULL_HANDLE.
VkResult vk_image_raw_view(struct vk_image *image, const struct vk_image_info *info,
                           enum vk_numbers numbers, bool storage, VkImageView *view);

// The storage view of another mip level for that number class; VK_NULL_HANDLE: none.
VkResult vk_image_level_view(struct vk_image *image, const struct vk_image_info *info, enum vk_numbers numbers, bool own,
                             uint32_t level, VkImageView *view);

// Initializes the layout of a new image; must precede all other uses.
void vk_image_begin(const struct vk_image *image, VkCommandBuffer commands);

// Whether buffers, with all their usages, can hold texels of a format.
bool vk_texels_fit(const struct vk_physical *physical, VkFormat format);
// A view of `size` bytes of a buffer as texels.
VkResult vk_texels_create(const struct vk_buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                          VkFormat format, VkBufferView *view);
void vk_texels_destroy(struct vk_device *device, VkBufferView view);

#endif
