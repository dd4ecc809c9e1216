// SPDX-License-Identifier: Apache-2.0
// Descriptors of launches. See bindings.h.
#include "command/bindings.h"

#include <stdlib.h>
#include <string.h>

// ---- dummies ------------------------------------------------------------------------------------

enum { DIMS = VK_IMAGE_DIM_3D + 1, CLASSES = KC_TEXEL_UINT + 1, DUMMY_BYTES = 256 };

struct cmd_dummies {
    struct vk_image images[DIMS][CLASSES];
    struct vk_buffer buffer;
    VkBufferView texels[CLASSES];
};

static const VkFormat dummy_formats[CLASSES] = {
    [KC_TEXEL_FLOAT] = VK_FORMAT_R8G8B8A8_UNORM,
    [KC_TEXEL_INT] = VK_FORMAT_R8G8B8A8_SINT,
    [KC_TEXEL_UINT] = VK_FORMAT_R8G8B8A8_UINT,
};

static VkResult make_dummy_image(struct vk_device *device, int dim, int kind,
                                 struct vk_image *image)
{
    const struct vk_image_info info = {
        .dim = (enum vk_image_dim)dim,
        .format = dummy_formats[kind],
        .texel = 4,
        .extent = {1, 1, 1},
        .layers = 1,
        .sampled = true,
        .storage = true,
    };
    struct cmd_request request = {.blocking = true};
    VkResult result = vk_image_create(device, &info, image);
    if (result != VK_SUCCESS)
        return result;
    if (cmd_own_queue(device, &request.queue) != CL_SUCCESS ||
        cmd_image_begin(&request, image) != CL_SUCCESS) {
        vk_image_destroy(image);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

static VkResult make_dummy_buffer(struct vk_device *device, struct cmd_dummies *dummies)
{
    if (dummies->buffer.device)
        return VK_SUCCESS;
    return vk_buffer_create(device, VK_MEMORY_DEVICE, DUMMY_BYTES, &dummies->buffer);
}

static VkResult make_dummy_texels(struct vk_device *device, struct cmd_dummies *dummies, int kind)
{
    VkResult result = make_dummy_buffer(device, dummies);
    if (result == VK_SUCCESS && !dummies->texels[kind])
        result = vk_texels_create(&dummies->buffer, 0, DUMMY_BYTES, dummy_formats[kind],
                                  &dummies->texels[kind]);
    return result;
}

static VkResult find_dummy(struct vk_device *device, const struct kc_binding *binding,
                           struct cmd_dummies *dummies, union vk_descriptor *descriptor)
{
    int kind = binding->texel;
    if (binding->dim == KC_DIM_BUFFER) {
        VkResult result = make_dummy_texels(device, dummies, kind);
        descriptor->texels = dummies->texels[kind];
        return result;
    }
    struct vk_image *image = &dummies->images[binding->dim][kind];
    VkResult result =
        image->device ? VK_SUCCESS : make_dummy_image(device, binding->dim, kind, image);
    descriptor->image = binding->kind == KC_BINDING_SAMPLED ? image->sampled : image->storage;
    return result;
}

// For a null pointer any buffer can be bound: a pushed value marks the pointer as null.
static VkResult find_null(struct vk_device *device, struct cmd_dummies *dummies,
                          union vk_descriptor *descriptor)
{
    uint32_t rest;
    VkResult result = make_dummy_buffer(device, dummies);
    if (result == VK_SUCCESS)
        *descriptor = vk_storage_descriptor(&dummies->buffer, 0, &rest);
    return result;
}

static VkResult get_dummy(struct vk_device *device, const struct kc_binding *binding,
                          union vk_descriptor *descriptor)
{
    struct cmd_dummies **dummies = cmd_own_dummies(device);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (dummies && !*dummies)
        *dummies = calloc(1, sizeof **dummies);
    if (dummies && *dummies)
        result = binding->kind >= KC_BINDING_BUFFER
                     ? find_null(device, *dummies, descriptor)
                     : find_dummy(device, binding, *dummies, descriptor);
    cmd_own_dummies_done();
    return result;
}

void cmd_dummies_destroy(struct cmd_dummies *dummies)
{
    if (!dummies)
        return;
    for (int dim = 0; dim < DIMS; dim++)
        for (int kind = 0; kind < CLASSES; kind++)
            vk_image_destroy(&dummies->images[dim][kind]);
    for (int kind = 0; kind < CLASSES && dummies->buffer.device; kind++)
        vk_texels_destroy(dummies->buffer.device, dummies->texels[kind]);
    vk_buffer_destroy(&dummies->buffer);
    free(dummies);
}

// ---- surfaces -----------------------------------------------------------------------------------

_Static_assert((int)KC_DIM_1D == (int)VK_IMAGE_DIM_1D && (int)KC_DIM_3D == (int)VK_IMAGE_DIM_3D,
               "the compiler's dimensions are the Vulkan layer's");
_Static_assert((int)KC_TEXEL_FLOAT == (int)VK_NUMBERS_FLOAT &&
                   (int)KC_TEXEL_INT == (int)VK_NUMBERS_INT &&
                   (int)KC_TEXEL_UINT == (int)VK_NUMBERS_UINT,
               "the compiler's texels are of the Vulkan layer's classes of numbers");

struct cmd_access cmd_surface_access(const struct cmd_surface *surface, const struct kc_arg *arg)
{
    bool write = arg->access != KC_ACCESS_READ_ONLY;
    const struct vk_buffer *range = surface->image ? &surface->image->range : surface->buffer;
    return (struct cmd_access){range->address, range->address + range->size, write};
}

// The image of a surface: its own, or the launch's temporary one for rows in a buffer.
static struct vk_image *image_of(const struct cmd_bindings *bindings,
                                 const struct cmd_surface *surface)
{
    for (uint32_t i = 0; i < bindings->stand_in_count; i++)
        if (bindings->stand_ins[i].surface == surface)
            return &bindings->stand_ins[i].image;
    return surface->image;
}

static bool has_rows(const struct cmd_surface *surface)
{
    return surface && !surface->image && !surface->texels;
}

static VkResult add_stand_in(struct cmd_bindings *bindings, const struct cmd_surface *surface,
                             bool written)
{
    struct cmd_stand_in *stand_in = NULL;
    for (uint32_t i = 0; i < bindings->stand_in_count; i++)
        if (bindings->stand_ins[i].surface == surface)
            stand_in = &bindings->stand_ins[i];
    if (stand_in) {
        stand_in->write_back |= written;
        return VK_SUCCESS;
    }
    stand_in = &bindings->stand_ins[bindings->stand_in_count];
    *stand_in = (struct cmd_stand_in){.surface = surface, .write_back = written};
    VkResult result = vk_image_create(bindings->kernel->device, surface->info, &stand_in->image);
    bindings->stand_in_count += result == VK_SUCCESS;
    return result;
}

static VkResult make_stand_ins(struct cmd_bindings *bindings, const struct cmd_arg *args)
{
    const struct kc_kernel *info = bindings->kernel->info;
    VkResult result = VK_SUCCESS;
    uint32_t most = 0;
    for (uint32_t i = 0; i < info->arg_count; i++)
        most += has_rows(args[i].surface);
    if (!most)
        return VK_SUCCESS;
    bindings->stand_ins = calloc(most, sizeof *bindings->stand_ins);
    if (!bindings->stand_ins)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->arg_count && result == VK_SUCCESS; i++)
        if (has_rows(args[i].surface))
            result = add_stand_in(bindings, args[i].surface,
                                  info->args[i].access != KC_ACCESS_READ_ONLY);
    return result;
}

// ---- formats ------------------------------------------------------------------------------------

// The format of the view that describe() will bind; VK_FORMAT_UNDEFINED: a dummy.
static VkFormat stored_format(const struct vk_device *device, const struct kc_binding *binding,
                              const struct cmd_surface *surface)
{
    const struct vk_image_info *info = surface->info;
    bool own = binding->texel == surface->kind;
    VkFormat raw = info->raw[binding->texel];
    if (binding->dim == KC_DIM_BUFFER && own)
        return surface->texels ? info->format : VK_FORMAT_UNDEFINED;
    if (binding->dim == KC_DIM_BUFFER)
        return surface->texels && raw != VK_FORMAT_UNDEFINED && vk_texels_fit(device->physical, raw) ? raw : VK_FORMAT_UNDEFINED;
    if (surface->texels || (int)info->dim != (int)binding->dim)
        return VK_FORMAT_UNDEFINED;
    if (own)
        return info->storage ? vk_image_stored_format(info) : VK_FORMAT_UNDEFINED;
    return vk_image_raw_format(device, info, (enum vk_numbers)binding->texel, true);
}

uint32_t cmd_binding_format(const struct vk_device *device, const struct kc_binding *binding,
                            const struct cmd_surface *surface)
{
    uint32_t name = vk_format_name(device->facts, stored_format(device, binding, surface));
    return name ? name : vk_format_name(device->facts, dummy_formats[binding->texel]);
}

// True if the kernel needs a named format and this image's format has no name; the kernel cannot
// use such an image.
static bool lacks_name(const struct cmd_bindings *bindings, const struct kc_binding *binding,
                       const struct cmd_surface *surface)
{
    const struct kc_kernel *info = bindings->kernel->info;
    const struct vk_device *device = bindings->kernel->device;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_IMAGE_FORMAT && info->specs[i].arg == binding->binding)
            return !vk_format_name(device->facts, stored_format(device, binding, surface));
    return false;
}

// ---- sets ---------------------------------------------------------------------------------------

// A view of the texels in the class that the kernel expects; a view of the raw bits if the image's
// class differs.
static VkResult find_view(struct vk_image *image, const struct cmd_surface *surface,
                          const struct kc_binding *binding, VkImageView *view)
{
    bool storage = binding->kind != KC_BINDING_SAMPLED;
    if (binding->level)
        return vk_image_level_view(image, surface->info, (enum vk_numbers)binding->texel, binding->texel == surface->kind,
                                   binding->level, view);
    if (binding->texel != surface->kind)
        return vk_image_raw_view(image, surface->info, (enum vk_numbers)binding->texel, storage,
                                 view);
    *view = storage ? image->storage : image->sampled;
    return VK_SUCCESS;
}

static VkResult find_texels(const struct cmd_surface *surface, const struct kc_binding *binding,
                            VkBufferView *view)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    VkFormat raw = surface->info->raw[binding->texel];
    VkDeviceSize size = (VkDeviceSize)surface->info->extent[0] * surface->texel;
    VkBufferView *made = &surface->raw_texels[binding->texel];
    VkResult result = VK_SUCCESS;
    if (binding->texel == surface->kind || !surface->texels) {
        *view = surface->texels;
        return VK_SUCCESS;
    }
    if (raw == VK_FORMAT_UNDEFINED || !vk_texels_fit(surface->buffer->device->physical, raw))
        return VK_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!*made)
        result = vk_texels_create(surface->buffer, surface->offset, size, raw, made);
    if (result == VK_SUCCESS)
        *view = *made;
    pthread_mutex_unlock(&lock);
    return result;
}

static VkResult describe(const struct cmd_bindings *bindings, const struct kc_binding *binding,
                         const struct cmd_surface *surface, union vk_descriptor *descriptor)
{
    struct vk_image *image = image_of(bindings, surface);
    *descriptor = (union vk_descriptor){0};
    VkResult result = VK_SUCCESS;
    if (lacks_name(bindings, binding, surface))
        image = NULL;
    else if (binding->dim == KC_DIM_BUFFER)
        result = find_texels(surface, binding, &descriptor->texels);
    if (binding->dim != KC_DIM_BUFFER && image && (int)image->dim == (int)binding->dim)
        result = find_view(image, surface, binding, &descriptor->image);
    bool found = binding->dim == KC_DIM_BUFFER ? descriptor->texels != VK_NULL_HANDLE
                                               : descriptor->image != VK_NULL_HANDLE;
    if (result != VK_SUCCESS || found)
        return result;
    return get_dummy(bindings->kernel->device, binding, descriptor);
}

// For an argument with a binding of its own that is not NULL.
static union vk_descriptor own_descriptor(const struct cmd_bindings *bindings,
                                          const struct cmd_arg *arg, uint32_t *rest)
{
    const struct vk_buffer *buffer = arg->buffer;
    VkDeviceSize offset = arg->offset;
    if (bindings->cluster)
        buffer = cmd_cluster_place(bindings->cluster, arg, &offset);
    return vk_storage_descriptor(buffer, offset, rest);
}

// The part of the offset that the alignment of bindings cannot express goes to the push block
// (cmd_bindings_rest()).
static VkResult describe_arg(const struct cmd_bindings *bindings, const struct kc_binding *binding,
                             const struct cmd_arg *args, union vk_descriptor *descriptor)
{
    uint32_t rest;
    struct cmd_arg span = cmd_span(bindings->kernel->info, args, binding->arg);
    if (!span.buffer)
        return get_dummy(bindings->kernel->device, binding, descriptor);
    *descriptor = own_descriptor(bindings, &span, &rest);
    return VK_SUCCESS;
}

static VkResult describe_cluster(const struct cmd_bindings *bindings,
                                 const struct kc_binding *binding, union vk_descriptor *descriptor)
{
    descriptor->buffer = bindings->cluster->range;
    if (descriptor->buffer.buffer)
        return VK_SUCCESS;
    return get_dummy(bindings->kernel->device, binding, descriptor);
}

uint32_t cmd_bindings_rest(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                           const struct cmd_arg *args, uint32_t index)
{
    struct cmd_arg span = cmd_span(info, args, index);
    uint32_t rest = KC_NULL_BUFFER;
    if (!span.buffer)
        return rest;
    if (info->args[index].clustered)
        rest = cmd_cluster_rest(bindings->cluster, &span);
    else
        own_descriptor(bindings, &span, &rest);
    return rest + (uint32_t)(args[index].offset - span.offset);
}

// ---- numbers of buffers ---------------------------------------------------------------------------

// 64-bit pointers have space for every buffer of the device, so a pointer that one kernel stores in
// memory is valid in the next. Numbers start after those that the compiler reserves. Only every
// second number is used, because the bound range may begin before the buffer.
static uint64_t wide_number(const struct vk_buffer *buffer)
{
    enum { FIRST = 128, BITS = 28 };
    uint64_t number = FIRST + 2 * (uint64_t)(buffer->number & ((1u << BITS) - 1));
    return number << 32;
}

// 32-bit pointers have space only for the launch's own buffers: a buffer gets the position of its
// first argument.
static uint64_t narrow_number(const struct kc_kernel *info, const struct cmd_arg *args, uint32_t index)
{
    uint64_t number = kc_data_number(32), step = number;
    for (uint32_t i = 0; i <= index; i++) {
        if (!info->args[i].numbered)
            continue;
        number += step;
        if (args[i].buffer == args[index].buffer)
            break;
    }
    return number - cmd_span(info, args, index).offset;
}

uint64_t cmd_bindings_number(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                             const struct cmd_arg *args, uint32_t index, unsigned bits)
{
    const struct cmd_arg *arg = &args[index];
    if (!arg->buffer)
        return 0;
    uint64_t buffer = bits == 64 ? wide_number(arg->buffer) : narrow_number(info, args, index);
    return buffer + arg->offset - cmd_bindings_rest(bindings, info, args, index);
}

static const struct vk_buffer *bound_buffer(const struct cmd_bound *bound,
                                            enum kc_binding_kind kind)
{
    switch (kind) {
    case KC_BINDING_DATA:
        return bound->data;
    case KC_BINDING_PUSH:
        return bound->block;
    case KC_BINDING_PRINTF:
        return bound->printf;
    case KC_BINDING_SCRATCH:
        return bound->scratch;
    default:
        return NULL;
    }
}

static bool is_late(enum kc_binding_kind kind)
{
    return kind == KC_BINDING_PRINTF || kind == KC_BINDING_SCRATCH;
}

static void describe_bound(const struct cmd_bindings *bindings, const struct cmd_bound *bound,
                           bool late)
{
    const struct kc_kernel *info = bindings->kernel->info;
    uint32_t rest;
    for (uint32_t i = 0; i < info->binding_count; i++) {
        const struct vk_buffer *buffer = bound_buffer(bound, info->bindings[i].kind);
        if (!buffer || is_late(info->bindings[i].kind) != late)
            continue;
        bindings->list[i] = vk_storage_descriptor(buffer, 0, &rest);
        if (info->bindings[i].kind == KC_BINDING_PUSH) // the binding covers one dispatch's block
            bindings->list[i].buffer.range = (info->push_size + 15) / 16 * 16;
    }
}

static VkResult describe_args(struct cmd_bindings *bindings, const struct cmd_arg *args)
{
    const struct kc_kernel *info = bindings->kernel->info;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->binding_count && result == VK_SUCCESS; i++) {
        const struct kc_binding *binding = &info->bindings[i];
        bindings->late |= is_late(binding->kind);
        bindings->block |= binding->kind == KC_BINDING_PUSH;
        if (binding->kind < KC_BINDING_SAMPLERS)
            result = describe(bindings, binding, args[binding->arg].surface, &bindings->list[i]);
        else if (binding->kind == KC_BINDING_BUFFER)
            result = describe_arg(bindings, binding, args, &bindings->list[i]);
        else if (binding->kind == KC_BINDING_CLUSTER)
            result = describe_cluster(bindings, binding, &bindings->list[i]);
    }
    return result;
}

static void write_set(const struct cmd_bindings *bindings)
{
    const struct cmd_kernel *kernel = bindings->kernel;
    vk_set_write(kernel->device, bindings->set->handle, kernel->types, bindings->list,
                 kernel->info->binding_count);
}

static cl_int make_cluster(struct cmd_bindings *bindings, const struct cmd_arg *args)
{
    const struct kc_kernel *info = bindings->kernel->info;
    bool some = false;
    for (uint32_t i = 0; i < info->binding_count; i++)
        some |= info->bindings[i].kind == KC_BINDING_CLUSTER;
    if (!some)
        return CL_SUCCESS;
    bindings->cluster = calloc(1, sizeof *bindings->cluster);
    if (!bindings->cluster)
        return CL_OUT_OF_HOST_MEMORY;
    return cmd_cluster_make(bindings->cluster, bindings->kernel->device, info, args);
}

// Keys describe launches that bind only buffer arguments. 0: the set cannot be shared.
static uint32_t find_keys(const struct kc_kernel *info, const struct cmd_arg *args, struct cmd_key keys[CMD_SET_KEYS])
{
    if (info->binding_count > CMD_SET_KEYS)
        return 0;
    for (uint32_t i = 0; i < info->binding_count; i++) {
        if (info->bindings[i].kind != KC_BINDING_BUFFER)
            return 0;
        struct cmd_arg span = cmd_span(info, args, info->bindings[i].arg);
        if (!span.buffer)
            return 0;
        keys[i] = (struct cmd_key){span.buffer->number, span.offset};
    }
    return info->binding_count;
}

cl_int cmd_bindings_make(struct cmd_bindings *bindings, struct cmd_kernel *kernel,
                         const struct cmd_arg *args, const struct cmd_bound *bound,
                         union vk_descriptor *list)
{
    if (!kernel->info->binding_count)
        return CL_SUCCESS;
    bindings->kernel = kernel;
    bindings->list = list;
    cl_int error = make_cluster(bindings, args);
    if (error != CL_SUCCESS)
        return error;
    struct cmd_key keys[CMD_SET_KEYS];
    uint32_t key_count = find_keys(kernel->info, args, keys);
    bool written;
    VkResult result = cmd_kernel_take_set(kernel, keys, key_count, &bindings->set, &written);
    if (result == VK_SUCCESS && written)
        return CL_SUCCESS;
    if (result == VK_SUCCESS)
        result = make_stand_ins(bindings, args);
    if (result == VK_SUCCESS)
        result = describe_args(bindings, args);
    if (result == VK_SUCCESS)
        describe_bound(bindings, bound, false);
    if (result == VK_SUCCESS && !bindings->late)
        write_set(bindings);
    if (result == VK_SUCCESS && key_count)
        cmd_kernel_set_written(kernel, bindings->set, keys, key_count);
    return cmd_error(result); // a failure leaves partial state, which is freed with the command
}

void cmd_bindings_finish(struct cmd_bindings *bindings)
{
    if (!bindings->kernel)
        return;
    if (bindings->set)
        cmd_kernel_give_set(bindings->kernel, bindings->set);
    for (uint32_t i = 0; i < bindings->stand_in_count; i++)
        vk_image_destroy(&bindings->stand_ins[i].image);
    free(bindings->stand_ins);
    if (bindings->cluster)
        cmd_cluster_finish(bindings->cluster);
    free(bindings->cluster);
    *bindings = (struct cmd_bindings){0};
}

// ---- recording ----------------------------------------------------------------------------------

static void copy_rows(const struct cmd_stand_in *stand_in, VkCommandBuffer commands, bool to_image)
{
    const struct cmd_surface *surface = stand_in->surface;
    struct vk_device *device = stand_in->image.device;
    const VkBufferImageCopy region = {
        .bufferOffset = surface->buffer->offset + surface->offset,
        .bufferRowLength = (uint32_t)(surface->row_pitch / surface->texel),
        .bufferImageHeight = (uint32_t)(surface->slice_pitch / surface->row_pitch),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, surface->info->layers},
        .imageExtent = {surface->info->extent[0], surface->info->extent[1], surface->info->extent[2]},
    };
    if (to_image)
        device->fn.CmdCopyBufferToImage(commands, surface->buffer->handle, stand_in->image.handle,
                                        VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    else
        device->fn.CmdCopyImageToBuffer(commands, stand_in->image.handle, VK_IMAGE_LAYOUT_GENERAL,
                                        surface->buffer->handle, 1, &region);
}

static void bind_set(const struct cmd_bindings *bindings, VkCommandBuffer commands,
                     const uint32_t *block)
{
    const struct cmd_kernel *kernel = bindings->kernel;
    kernel->device->fn.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                             kernel->layout.pipeline, 0, 1,
                                             &bindings->set->handle, block != NULL, block);
}

void cmd_bindings_begin(const struct cmd_bindings *bindings, const struct cmd_bound *bound,
                        VkCommandBuffer commands)
{
    if (!bindings->kernel)
        return;
    const struct cmd_kernel *kernel = bindings->kernel;
    for (uint32_t i = 0; i < bindings->stand_in_count; i++) {
        vk_image_begin(&bindings->stand_ins[i].image, commands);
        copy_rows(&bindings->stand_ins[i], commands, true);
    }
    if (bindings->stand_in_count)
        vk_commands_barrier(kernel->device, commands);
    if (bindings->cluster)
        cmd_cluster_begin(bindings->cluster, commands);
    if (bindings->late) {
        describe_bound(bindings, bound, true);
        write_set(bindings);
    }
    if (!bindings->block)
        bind_set(bindings, commands, NULL);
}

void cmd_bindings_block(const struct cmd_bindings *bindings, VkCommandBuffer commands,
                        uint64_t offset)
{
    uint32_t from_start = (uint32_t)offset;
    bind_set(bindings, commands, &from_start);
}

void cmd_bindings_end(const struct cmd_bindings *bindings, VkCommandBuffer commands)
{
    if (bindings->cluster)
        cmd_cluster_end(bindings->cluster, commands);
    if (!bindings->stand_in_count)
        return;
    vk_commands_barrier(bindings->kernel->device, commands);
    for (uint32_t i = 0; i < bindings->stand_in_count; i++)
        if (bindings->stand_ins[i].write_back)
            copy_rows(&bindings->stand_ins[i], commands, false);
}
