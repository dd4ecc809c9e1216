// SPDX-License-Identifier: Apache-2.0
// Images -> Vulkan images, or views of a parent's memory. See image.h.
#include "object/image.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "vulkan/external.h"

// ---- shape --------------------------------------------------------------------------------------

static size_t at_least_one(size_t value)
{
    return value ? value : 1;
}

void image_region(const struct _cl_mem *mem, size_t region[3])
{
    const struct memobj_image *image = mem->image;
    bool rows_are_layers = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    region[0] = image->width;
    region[1] = at_least_one(rows_are_layers ? image->array_size : image->height);
    region[2] = rows_are_layers ? 1 : at_least_one(image->array_size | image->depth);
}

void image_level_region(const struct _cl_mem *mem, uint32_t level, size_t region[3])
{
    image_region(mem, region);
    region[0] = at_least_one(region[0] >> level);
    if (mem->type != CL_MEM_OBJECT_IMAGE1D_ARRAY)
        region[1] = at_least_one(region[1] >> level);
    if (mem->type == CL_MEM_OBJECT_IMAGE3D)
        region[2] = at_least_one(region[2] >> level);
}

size_t image_byte_size(const struct image_desc *desc)
{
    size_t slices = at_least_one(desc->array_size | desc->depth), size = 0;
    for (cl_uint i = 0; desc->levels > 1 && i < desc->levels; i++)
        size += desc->format.texel * at_least_one(desc->width >> i) * at_least_one(desc->height >> i) *
                (desc->depth ? at_least_one(desc->depth >> i) : slices);
    if (size)
        return size;
    return desc->slice_pitch ? desc->slice_pitch * slices
                             : desc->row_pitch * at_least_one(desc->height);
}

// ---- on a device --------------------------------------------------------------------------------

static void fill_info(const struct _cl_mem *mem, const struct _cl_device_id *device,
                      struct vk_image_info *info)
{
    const struct memobj_image *image = mem->image;
    cl_mem_object_type type =
        mem->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_MEM_OBJECT_IMAGE1D : mem->type;
    unsigned can = image_format_abilities(&image->format, device, type);
    const struct image_format on = image_format_on(&image->format, &device->caps, mem->type);
    *info = (struct vk_image_info){
        .dim = image_dim(type),
        .format = on.vk,
        .stored = on.stored,
        .texel = image->format.texel,
        .extent = {(uint32_t)image->width, (uint32_t)at_least_one(image->height),
                   (uint32_t)at_least_one(image->depth)},
        .layers = (uint32_t)at_least_one(image->array_size),
        .levels = image->levels,
        .swizzle = on.swizzle,
        .sampled = can & IMAGE_CAN_READ,
        .storage = can & IMAGE_CAN_WRITE && !(mem->flags & CL_MEM_READ_ONLY),
        .other_formats = image_format_has_twin(&image->format),
        .external = mem->external,
    };
    if (mem->external) { // with the simplest parameters, as the exporter's image
        // sRGB, which is stored to in another format
        info->other_formats = info->stored != VK_FORMAT_UNDEFINED;
        return;
    }
    image_format_raw(&image->format, &device->caps, info->raw);
    if (mem->type != CL_MEM_OBJECT_IMAGE1D_BUFFER && !vk_image_fits(device->physical, info))
        memset(info->raw, 0, sizeof info->raw);
}

// The texels are in a buffer: kernels access a single row directly, several rows through a
// temporary image.
static cl_int make_rows(struct _cl_mem *mem, int index, struct image_copy *copy)
{
    struct _cl_mem *root = mem->storage;
    copy->surfaces->buffer = &root->copies[index].buffer;
    copy->surfaces->offset = mem->storage_offset;
    copy->surfaces->row_pitch = mem->image->host_pitches[0];
    copy->surfaces->slice_pitch = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : mem->image->slice_pitch;
    if (mem->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return CL_SUCCESS;
    return cmd_error(vk_texels_create(copy->surfaces->buffer, copy->surfaces->offset, mem->size,
                                      copy->info.format, &copy->surfaces->texels));
}

static cl_int begin_image(struct vk_device *vk, struct image_copy *copy)
{
    struct cmd_request request = {.blocking = true};
    cl_int error = cmd_own_queue(vk, &request.queue);
    return error ? error : cmd_image_begin(&request, &copy->image);
}

static cl_int make_image(struct _cl_mem *mem, int index, struct image_copy *copy)
{
    struct vk_device *vk = mem->context->devices[index].vk;
    VkResult result;
    copy->surfaces->image = &copy->image;
    if (mem->parent)
        result = vk_image_create_alias(&mem->parent->image->copies[index].image, &copy->info,
                                       &copy->image);
    else
        result = vk_image_create(vk, &copy->info, &copy->image);
    if (result == VK_SUCCESS)
        return mem->parent ? CL_SUCCESS : begin_image(vk, copy);
    log_write(LOG_MEM, "cannot create an image of %zu bytes: %s", mem->size,
              vk_result_name(result));
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                   : cmd_error(result);
}

static void describe_copy(struct _cl_mem *mem, int index)
{
    struct image_copy *copy = &mem->image->copies[index];
    const struct memobj_image *image = mem->image;
    const struct _cl_device_id *device = mem->context->devices[index].device;
    fill_info(mem, device, &copy->info);
    *copy->surfaces = (struct cmd_surface){
        .info = &copy->info,
        .raw_texels = copy->raw_texels,
        .texel = image->format.texel,
        .kind = image_format_on(&image->format, &device->caps, mem->type).kind,
        .order = image->format.cl.image_channel_order,
        .type = image->format.cl.image_channel_data_type,
        .size = {(uint32_t)image->width, (uint32_t)image->height,
                 (uint32_t)(image->depth | image->array_size), (uint32_t)at_least_one(image->levels)},
    };
}

cl_int image_reallocate(struct _cl_mem *mem, struct vk_exported *out)
{
    struct image_copy *copy = &mem->image->copies[0];
    struct vk_device *vk = mem->context->devices[0].vk;
    vk_image_destroy(&copy->image);
    memset(&copy->image, 0, sizeof copy->image);
    mem->external = out ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT : 0;
    fill_info(mem, mem->context->devices[0].device, &copy->info);
    mem->external = 0; // the application sees memory of its own
    VkResult result = out ? vk_image_export_fd(vk, &copy->info, &copy->image, out) : vk_image_create(vk, &copy->info, &copy->image);
    return result == VK_SUCCESS ? begin_image(vk, copy) : cmd_error(result);
}

cl_int image_import_dma_buf(struct _cl_mem *mem, int fd, const struct vk_plane *plane)
{
    struct image_copy *copy = &mem->image->copies[0];
    struct vk_image_info info;
    struct vk_image image;
    VkSubresourceLayout layout;
    mem->external = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
    fill_info(mem, mem->context->devices[0].device, &info);
    mem->external = 0; // the application sees memory of its own
    info.plane = *plane;
    VkResult result = vk_image_import_fd(mem->context->devices[0].vk, &info, fd, &image, &layout);
    if (result != VK_SUCCESS)
        return memobj_import_error(result);
    vk_image_destroy(&copy->image);
    copy->image = image;
    copy->info = info;
    return CL_SUCCESS;
}

// Under the root's lock; the root's memory already exists.
static cl_int make_copy(struct _cl_mem *mem, int index)
{
    struct image_copy *copy = &mem->image->copies[index];
    if (copy->made)
        return CL_SUCCESS;
    if (mem->parent && mem->parent->image) {
        cl_int error = make_copy(mem->parent, index);
        if (error)
            return error;
    }
    describe_copy(mem, index);
    bool rows = mem->storage->type == CL_MEM_OBJECT_BUFFER;
    cl_int error = rows ? make_rows(mem, index, copy) : make_image(mem, index, copy);
    for (cl_uint level = 1; level < mem->image->levels; level++) {
        copy->surfaces[level] = *copy->surfaces;
        copy->surfaces[level].level = level;
    }
    copy->made = !error;
    return error;
}

cl_int memobj_surface(struct _cl_mem *mem, int device_index, const struct cmd_surface **surface)
{
    struct _cl_mem *root = mem->storage;
    pthread_mutex_lock(&root->lock);
    cl_int error = memobj_move_to(root, device_index);
    if (!error)
        error = make_copy(mem, device_index);
    pthread_mutex_unlock(&root->lock);
    *surface = mem->image->copies[device_index].surfaces;
    return error;
}

void image_finish(struct _cl_mem *mem)
{
    struct memobj_image *image = mem->image;
    for (cl_uint i = 0; image->copies && i < mem->context->device_count; i++) {
        if (!image->copies[i].surfaces)
            continue;
        vk_texels_destroy(mem->context->devices[i].vk, image->copies[i].surfaces->texels);
        for (int n = 0; n < VK_NUMBERS_COUNT; n++)
            vk_texels_destroy(mem->context->devices[i].vk, image->copies[i].raw_texels[n]);
        vk_image_destroy(&image->copies[i].image);
        free(image->copies[i].surfaces);
    }
    free(image->copies);
    free(image);
}

// ---- contents -----------------------------------------------------------------------------------

static struct cmd_rect host_rect(const size_t pitches[2])
{
    return (struct cmd_rect){0, pitches[0], pitches[1]};
}

static cl_int fill_image(struct _cl_mem *mem, const void *data)
{
    static const size_t origin[3];
    size_t region[3];
    struct cmd_rect rect = host_rect(mem->image->host_pitches);
    struct cmd_request request = {.blocking = true};
    image_region(mem, region);
    cl_int error = cmd_own_queue(mem->context->devices[0].vk, &request.queue);
    return error ? error
                 : cmd_image_write(&request, mem->image->copies[0].surfaces, origin, region, data,
                                   &rect);
}

// Moves a level slice by slice, through host memory for one slice.
static cl_int move_level(struct _cl_mem *mem, int from, int to, cl_uint level, const struct cmd_request *down,
                         const struct cmd_request *up, void *slice)
{
    size_t origin[3] = {0}, region[3];
    cl_int error = CL_SUCCESS;
    image_level_region(mem, level, region);
    size_t row = region[0] * mem->image->format.texel, slices = region[2];
    struct cmd_rect rect = {0, row, row * region[1]};
    region[2] = 1;
    for (; origin[2] < slices && !error; origin[2]++) {
        error = cmd_image_read(down, &mem->image->copies[from].surfaces[level], origin, region, slice, &rect);
        if (!error)
            error = cmd_image_write(up, &mem->image->copies[to].surfaces[level], origin, region, slice, &rect);
    }
    return error;
}

// Under the object's lock.
cl_int image_move(struct _cl_mem *mem, int to)
{
    struct cmd_request down = {.blocking = true}, up = {.blocking = true};
    int from = mem->home;
    size_t region[3];
    cl_int error = make_copy(mem, to);
    image_region(mem, region);
    void *slice = error ? NULL : malloc(region[0] * mem->image->format.texel * region[1]);
    if (!error && !slice)
        error = CL_OUT_OF_HOST_MEMORY;
    if (!error)
        error = cmd_own_queue(mem->context->devices[from].vk, &down.queue);
    if (!error)
        error = cmd_own_queue(mem->context->devices[to].vk, &up.queue);
    if (!error && mem->copies[from].last)
        cmd_wait(&mem->copies[from].last, 1);
    for (cl_uint level = 0; !error && level < at_least_one(mem->image->levels); level++)
        error = move_level(mem, from, to, level, &down, &up, slice);
    free(slice);
    return error;
}

// ---- memory of other APIs -----------------------------------------------------------------------

// Takes the row layout of the imported memory, if it is known.
static cl_int take_layout(struct _cl_mem *mem, const struct image_desc *desc,
                          const VkSubresourceLayout *layout)
{
    struct memobj_image *image = mem->image;
    VkDeviceSize slice = image->depth        ? layout->depthPitch
                         : image->array_size ? layout->arrayPitch
                                             : 0;
    if (!layout->rowPitch)
        return CL_SUCCESS;
    if ((desc->asked_row_pitch && desc->asked_row_pitch != layout->rowPitch) ||
        (slice && desc->asked_slice_pitch && desc->asked_slice_pitch != slice)) {
        log_write(LOG_MEM, "the pitches are %zu and %zu, the device requires %llu and %llu",
                  desc->asked_row_pitch, desc->asked_slice_pitch,
                  (unsigned long long)layout->rowPitch, (unsigned long long)slice);
        return CL_INVALID_IMAGE_DESCRIPTOR;
    }
    image->row_pitch = (size_t)layout->rowPitch;
    image->slice_pitch = (size_t)slice;
    mem->size = (size_t)layout->size;
    return CL_SUCCESS;
}

static cl_int import_copy(struct _cl_mem *mem, const struct image_desc *desc, int index, int fd)
{
    struct image_copy *copy = &mem->image->copies[index];
    VkSubresourceLayout layout;
    describe_copy(mem, index);
    VkResult result =
        vk_image_import_fd(mem->context->devices[index].vk, &copy->info, fd, &copy->image, &layout);
    if (result != VK_SUCCESS) {
        log_write(LOG_MEM, "fd %d cannot be imported for this image: %s", fd,
                  vk_result_name(result));
        return memobj_import_error(result);
    }
    copy->surfaces->image = &copy->image;
    copy->made = true;
    return take_layout(mem, desc, &layout);
}

static cl_int import_image(struct _cl_mem *mem, const struct image_desc *desc,
                           const struct memobj_options *options)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = mem->context->device_count; i-- > 0 && !error;)
        if (memobj_options_allow(options, mem->context->devices[i].device)) {
            mem->home = (int)i;
            error = import_copy(mem, desc, (int)i, options->fd);
        }
    return error;
}

// ---- creation -----------------------------------------------------------------------------------

static cl_int describe(struct _cl_mem *mem, const struct image_desc *desc)
{
    struct memobj_image *image = calloc(1, sizeof *image);
    if (!image)
        return CL_OUT_OF_HOST_MEMORY;
    mem->image = image;
    mem->type = desc->type;
    image->format = desc->format;
    image->width = desc->width;
    image->height = desc->height;
    image->depth = desc->depth;
    image->array_size = desc->array_size;
    image->levels = desc->levels;
    image->row_pitch = desc->row_pitch;
    image->slice_pitch = desc->slice_pitch;
    bool rows_are_layers = desc->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    image->host_pitches[0] = rows_are_layers ? desc->slice_pitch : desc->row_pitch;
    image->host_pitches[1] = desc->slice_pitch;
    image->copies = calloc(mem->context->device_count, sizeof *image->copies);
    for (cl_uint i = 0; image->copies && i < mem->context->device_count; i++) {
        image->copies[i].surfaces = calloc(at_least_one(image->levels), sizeof(struct cmd_surface));
        if (!image->copies[i].surfaces)
            return CL_OUT_OF_HOST_MEMORY;
    }
    return image->copies ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int create_image(struct _cl_context *context, cl_mem_flags flags, const struct image_desc *desc,
                           void *host_ptr, const struct memobj_options *options, struct _cl_mem **out)
{
    struct _cl_mem *mem = memobj_new(context, flags, image_byte_size(desc));
    const struct cmd_surface *surface;
    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    mem->parent = desc->parent ? object_use(desc->parent) : NULL;
    mem->host_ptr = desc->parent                  ? desc->parent->host_ptr
                    : flags & CL_MEM_USE_HOST_PTR ? host_ptr
                                                  : NULL;
    if (desc->parent) {
        mem->storage = desc->parent->storage;
        mem->storage_offset = desc->parent->storage_offset;
    }
    cl_int error = memobj_set_options(mem, options);
    if (!error && !desc->parent)
        error = memobj_new_copies(mem);
    if (!error)
        error = describe(mem, desc);
    if (!error && mem->external)
        error = import_image(mem, desc, options);
    else if (!error && !desc->parent)
        error = memobj_surface(mem, 0, &surface);
    if (!error && !desc->parent && host_ptr)
        error = fill_image(mem, host_ptr);
    if (error) {
        object_drop(mem);
        return error;
    }
    if (mem->external)
        descriptor_close(options->fd);
    *out = mem;
    return CL_SUCCESS;
}

cl_int memobj_create_image(struct _cl_context *context, cl_mem_flags flags,
                           const struct image_desc *desc, void *host_ptr,
                           const struct memobj_options *options, struct _cl_mem **out)
{
    uint64_t end = 0;
    cl_int error;
    do
        error = create_image(context, flags, desc, host_ptr, options, out);
    while (memobj_wait_for_memory(context, error, &end));
    return error;
}
