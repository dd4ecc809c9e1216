// SPDX-License-Identifier: Apache-2.0
// Images and their views. See image.h.
#include "vulkan/image.h"

#include <stdlib.h>
#include <string.h>

#include "util/thread.h"
#include "vulkan/device.h"
#include "vulkan/submit.h"

static const struct dim_row {
    VkImageType type;
    VkImageViewType view;
} dims[] = {
    [VK_IMAGE_DIM_1D] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D},
    [VK_IMAGE_DIM_1D_ARRAY] = {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY},
    [VK_IMAGE_DIM_2D] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D},
    [VK_IMAGE_DIM_2D_ARRAY] = {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
    [VK_IMAGE_DIM_3D] = {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D},
};

// ---- formats ------------------------------------------------------------------------------------

static const struct format_row {
    VkFormat format;
    uint32_t name;
    bool extended;
} format_rows[] = {
#define FORMAT(format, name, extended) {VK_FORMAT_##format, name, extended},
#include "vulkan/formats.def"
};

uint32_t vk_format_name(const struct vk_facts *facts, VkFormat format)
{
    for (size_t i = 0; i < sizeof format_rows / sizeof *format_rows; i++)
        if (format_rows[i].format == format)
            return !format_rows[i].extended || facts->features.image_extended_formats ? format_rows[i].name : 0;
    return 0;
}

// Checks writing without a format if kernels need not name it, else by its name.
bool vk_format_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                      VkFormatFeatureFlags2 storage)
{
    bool can = facts->features.image_write_without_format
                   ? has & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT
                   : vk_format_name(facts, format);
    return has & storage && can;
}

bool vk_format_reads_and_writes(const struct vk_facts *facts, VkFormat format, VkFormatFeatureFlags2 has,
                                VkFormatFeatureFlags2 storage)
{
    const struct vk_features *features = &facts->features;
    bool unnamed = features->image_write_without_format && features->image_read_without_format;
    bool can = unnamed ? has & VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT : vk_format_name(facts, format);
    return can && vk_format_writes(facts, format, has, storage);
}

// ---- image creation parameters ------------------------------------------------------------------

// All images support copies. Formats of views may support usages that the image's own format lacks.
static VkImageUsageFlags usage_of(const struct vk_image_info *info)
{
    VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (info->sampled || info->other_formats)
        usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (info->storage || info->other_formats)
        usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    return usage;
}

static uint32_t list_raw(const struct vk_image_info *info, VkFormat *formats)
{
    uint32_t count = 0;
    for (int i = 0; i < VK_NUMBERS_COUNT; i++)
        if (info->raw[i] != VK_FORMAT_UNDEFINED)
            formats[count++] = info->raw[i];
    return count;
}

static VkImageCreateFlags flags_of(const struct vk_image_info *info)
{
    VkFormat raw[VK_NUMBERS_COUNT];
    if (info->other_formats)
        return VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    return list_raw(info, raw) ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0;
}

static bool is_within(const struct vk_image_info *info, const VkImageFormatProperties *limits)
{
    if (info->extent[0] > limits->maxExtent.width || info->extent[1] > limits->maxExtent.height ||
        info->extent[2] > limits->maxExtent.depth || info->layers > limits->maxArrayLayers ||
        info->levels > limits->maxMipLevels)
        return false;
    uint64_t slice = (uint64_t)info->extent[0] * info->extent[1] * info->texel;
    return slice <= limits->maxResourceSize / info->extent[2] / info->layers;
}

static bool fits(const struct vk_physical *physical, const struct vk_image_info *info,
                 VkImageCreateFlags more)
{
    VkImageFormatProperties limits;
    return vk_physical_image(physical, info->format, dims[info->dim].type, usage_of(info),
                             flags_of(info) | more, &limits) == VK_SUCCESS &&
           is_within(info, &limits);
}

VkFormat vk_image_stored_format(const struct vk_image_info *info)
{
    return info->stored != VK_FORMAT_UNDEFINED ? info->stored : info->format;
}

bool vk_image_fits(const struct vk_physical *physical, const struct vk_image_info *info)
{
    return fits(physical, info, 0);
}

// ---- views --------------------------------------------------------------------------------------

static VkResult make_view(struct vk_image *image, const struct vk_image_info *info, VkFormat format,
                          bool storage, uint32_t level, VkImageView *view)
{
    static const VkComponentMapping identity;
    struct vk_device *device = image->device;
    VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    VkImageViewCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image->handle,
        .viewType = dims[info->dim].view,
        .format = format,
        .components = storage ? identity : info->swizzle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, storage ? 1 : VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS},
    };
    VkResult result = device->fn.CreateImageView(device->handle, &create, NULL, view);
    if (result != VK_SUCCESS)
        *view = VK_NULL_HANDLE; // so that the next call retries
    return result;
}

VkResult vk_image_make_views(struct vk_image *image, const struct vk_image_info *info)
{
    VkResult result = VK_SUCCESS;
    image->dim = info->dim;
    if (info->sampled)
        result = make_view(image, info, info->format, false, 0, &image->sampled);
    if (result == VK_SUCCESS && info->storage)
        result = make_view(image, info, vk_image_stored_format(info), true, 0, &image->storage);
    return result;
}

// Few programs read an image through another number class, so one lock serves all images.
static pthread_mutex_t raw_lock = PTHREAD_MUTEX_INITIALIZER;

static bool may_view(const struct vk_device *device, VkFormat format, bool storage)
{
    VkFormatFeatureFlags2 has = vk_physical_format(device->physical, format).optimalTilingFeatures;
    bool can = storage ? vk_format_writes(device->facts, format, has, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT)
                       : has & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT;
    return can && device->facts->features.view_of_other_format;
}

VkFormat vk_image_raw_format(const struct vk_device *device, const struct vk_image_info *info,
                             enum vk_numbers numbers, bool storage)
{
    VkFormat format = info->raw[numbers];
    if (format == VK_FORMAT_UNDEFINED || !(storage ? info->storage : info->sampled))
        return VK_FORMAT_UNDEFINED;
    return may_view(device, format, storage) ? format : VK_FORMAT_UNDEFINED;
}

VkResult vk_image_raw_view(struct vk_image *image, const struct vk_image_info *info,
                           enum vk_numbers numbers, bool storage, VkImageView *view)
{
    VkImageView *raw = storage ? &image->raw_storage[numbers] : &image->raw_sampled[numbers];
    VkFormat format = info->raw[numbers];
    VkResult result = VK_SUCCESS;
    *view = VK_NULL_HANDLE;
    if (format == VK_FORMAT_UNDEFINED)
        return VK_SUCCESS;
    pthread_mutex_lock(&raw_lock);
    if (!*raw && vk_image_raw_format(image->device, info, numbers, storage))
        result = make_view(image, info, format, storage, 0, raw);
    if (result == VK_SUCCESS)
        *view = *raw;
    pthread_mutex_unlock(&raw_lock);
    return vk_device_note(image->device, result, "creating a view of another format");
}

struct vk_image_levels {
    VkImageView views[VK_NUMBERS_COUNT][VK_IMAGE_LEVELS];
};

static VkResult make_level_view(struct vk_image *image, const struct vk_image_info *info, VkFormat format, uint32_t level,
                                enum vk_numbers numbers)
{
    if (!image->levels)
        image->levels = calloc(1, sizeof *image->levels);
    if (!image->levels)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkImageView *view = &image->levels->views[numbers][level];
    return *view ? VK_SUCCESS : make_view(image, info, format, true, level, view);
}

VkResult vk_image_level_view(struct vk_image *image, const struct vk_image_info *info, enum vk_numbers numbers, bool own,
                             uint32_t level, VkImageView *view)
{
    VkFormat format = own ? vk_image_stored_format(info) : vk_image_raw_format(image->device, info, numbers, true);
    *view = VK_NULL_HANDLE;
    if (level >= info->levels || level >= VK_IMAGE_LEVELS || !info->storage || format == VK_FORMAT_UNDEFINED)
        return VK_SUCCESS;
    pthread_mutex_lock(&raw_lock);
    VkResult result = make_level_view(image, info, format, level, numbers);
    if (result == VK_SUCCESS)
        *view = image->levels->views[numbers][level];
    pthread_mutex_unlock(&raw_lock);
    return vk_device_note(image->device, result, "creating a view of a level");
}

static void destroy_levels(struct vk_image *image)
{
    struct vk_device *device = image->device;
    for (int i = 0; image->levels && i < VK_NUMBERS_COUNT; i++)
        for (int level = 0; level < VK_IMAGE_LEVELS; level++)
            if (image->levels->views[i][level])
                device->fn.DestroyImageView(device->handle, image->levels->views[i][level], NULL);
    free(image->levels);
}

// ---- images -------------------------------------------------------------------------------------

// A dma_buf contains rows of texels unless its exporter gave a modifier; the layout of opaque
// memory is known to its driver only.
static VkImageTiling tiling_of(const struct vk_image_info *info)
{
    if (info->plane.given)
        return VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    return info->external == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT
               ? VK_IMAGE_TILING_LINEAR
               : VK_IMAGE_TILING_OPTIMAL;
}

static VkImageCreateInfo create_info(const struct vk_image_info *info, VkImageCreateFlags more)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = flags_of(info) | more,
        .imageType = dims[info->dim].type,
        .format = info->format,
        .extent = {info->extent[0], info->extent[1], info->extent[2]},
        .mipLevels = info->levels ? info->levels : 1,
        .arrayLayers = info->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = tiling_of(info),
        .usage = usage_of(info),
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
}

static VkResult make_handle(struct vk_image *image, const struct vk_image_info *info,
                            VkImageCreateFlags more)
{
    struct vk_device *device = image->device;
    VkFormat formats[1 + VK_NUMBERS_COUNT] = {info->format};
    VkImageFormatListCreateInfo list = {
        // tells the driver that few formats are used
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 1 + list_raw(info, formats + 1),
        .pViewFormats = formats,
    };
    VkImageCreateInfo create = create_info(info, more);
    create.pNext = info->other_formats ? NULL : &list;
    return device->fn.CreateImage(device->handle, &create, NULL, &image->handle);
}

// An image that exceeds the largest allocation is created again with sparse binding.
static VkResult make_memory(struct vk_image *image, const struct vk_image_info *info)
{
    const VkImageCreateFlags sparse = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
    struct vk_device *device = image->device;
    VkMemoryRequirements needs;
    device->fn.GetImageMemoryRequirements(device->handle, image->handle, &needs);
    if (needs.size > device->facts->props11.maxMemoryAllocationSize) {
        if (!device->facts->sparse || !fits(device->physical, info, sparse))
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        device->fn.DestroyImage(device->handle, image->handle, NULL);
        image->handle = VK_NULL_HANDLE;
        VkResult result = make_handle(image, info, sparse);
        if (result != VK_SUCCESS)
            return result;
        device->fn.GetImageMemoryRequirements(device->handle, image->handle, &needs);
    }
    return vk_memory_for_image(device, image->handle, &needs, &image->range);
}

VkResult vk_image_create(struct vk_device *device, const struct vk_image_info *info,
                         struct vk_image *image)
{
    memset(image, 0, sizeof *image);
    VkResult result = vk_device_check(device);
    if (result != VK_SUCCESS)
        return result;
    if (!vk_image_fits(device->physical, info))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    image->device = device;
    result = make_handle(image, info, 0);
    if (result == VK_SUCCESS)
        result = make_memory(image, info);
    if (result == VK_SUCCESS)
        result = vk_image_make_views(image, info);
    if (result != VK_SUCCESS)
        vk_image_destroy(image);
    return vk_device_note(device, result, "creating an image");
}

static bool has_one_plane(const struct vk_device *device, const struct vk_image_info *info)
{
    return vk_physical_planes(device->physical, info->format, info->plane.modifier) == 1 &&
           (info->stored == VK_FORMAT_UNDEFINED ||
            vk_physical_planes(device->physical, info->stored, info->plane.modifier) == 1);
}

VkResult vk_image_make(struct vk_device *device, const struct vk_image_info *info,
                       struct vk_image *image, VkSubresourceLayout *layout, bool *dedicated)
{
    const VkImageSubresource whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkExternalMemoryImageCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = info->external,
    };
    const VkSubresourceLayout plane = {.offset = info->plane.offset, .rowPitch = info->plane.pitch};
    const VkFormat views[2] = {info->format, vk_image_stored_format(info)};
    VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .pNext = &external,
        .viewFormatCount = 2,
        .pViewFormats = views,
    };
    VkImageDrmFormatModifierExplicitCreateInfoEXT modifier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
        .pNext = info->other_formats ? (const void *)&list : &external,
        .drmFormatModifier = info->plane.modifier,
        .drmFormatModifierPlaneCount = 1,
        .pPlaneLayouts = &plane,
    };
    VkImageCreateInfo create = create_info(info, 0);
    VkImageFormatProperties limits;
    create.pNext = info->plane.given ? (const void *)&modifier : &external;
    *image = (struct vk_image){.device = device, .dim = info->dim};
    VkResult result = VK_ERROR_FORMAT_NOT_SUPPORTED;
    if (!info->plane.given || (device->facts->features.image_drm_format_modifier && has_one_plane(device, info)))
        result = vk_physical_shared_image(device->physical, &create, &limits, dedicated);
    if (result != VK_SUCCESS || !is_within(info, &limits))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    result = device->fn.CreateImage(device->handle, &create, NULL, &image->handle);
    if (result == VK_SUCCESS && create.tiling == VK_IMAGE_TILING_LINEAR)
        device->fn.GetImageSubresourceLayout(device->handle, image->handle, &whole, layout);
    return result;
}

VkResult vk_image_create_alias(const struct vk_image *of, const struct vk_image_info *info,
                               struct vk_image *image)
{
    *image = (struct vk_image){.device = of->device, .handle = of->handle, .alias = true};
    VkResult result = vk_device_check(of->device);
    if (result == VK_SUCCESS)
        result = vk_image_make_views(image, info);
    if (result != VK_SUCCESS)
        vk_image_destroy(image);
    else
        image->range = of->range;
    image->range.device = NULL; // owned by the other image
    return vk_device_note(of->device, result, "creating image views");
}

void vk_image_destroy(struct vk_image *image)
{
    struct vk_device *device = image->device;
    if (!device || device->fork_generation != thread_fork_generation())
        return;
    if (image->sampled)
        device->fn.DestroyImageView(device->handle, image->sampled, NULL);
    if (image->storage)
        device->fn.DestroyImageView(device->handle, image->storage, NULL);
    for (int i = 0; i < VK_NUMBERS_COUNT; i++) {
        if (image->raw_sampled[i])
            device->fn.DestroyImageView(device->handle, image->raw_sampled[i], NULL);
        if (image->raw_storage[i])
            device->fn.DestroyImageView(device->handle, image->raw_storage[i], NULL);
    }
    destroy_levels(image);
    if (image->handle && !image->alias)
        device->fn.DestroyImage(device->handle, image->handle, NULL);
    vk_buffer_destroy(&image->range);
    memset(image, 0, sizeof *image);
}

void vk_image_begin(const struct vk_image *image, VkCommandBuffer commands)
{
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask =
            VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .dstStageMask =
            VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                         VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    vk_commands_depend(image->device, commands, &info);
}

// ---- texels in buffers --------------------------------------------------------------------------

bool vk_texels_fit(const struct vk_physical *physical, VkFormat format)
{
    VkFormatFeatureFlags2 has = vk_physical_format(physical, format).bufferFeatures;
    return has & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT &&
           vk_format_writes(&physical->facts, format, has, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT);
}

VkResult vk_texels_create(const struct vk_buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                          VkFormat format, VkBufferView *view)
{
    struct vk_device *device = buffer->device;
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer->handle,
        .format = format,
        .offset = buffer->offset + offset,
        .range = size,
    };
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = device->fn.CreateBufferView(device->handle, &info, NULL, view);
    if (result != VK_SUCCESS)
        *view = VK_NULL_HANDLE;
    return vk_device_note(device, result, "creating a buffer view");
}

void vk_texels_destroy(struct vk_device *device, VkBufferView view)
{
    if (view && device->fork_generation == thread_fork_generation())
        device->fn.DestroyBufferView(device->handle, view, NULL);
}
