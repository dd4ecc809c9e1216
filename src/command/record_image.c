// SPDX-License-Identifier: Apache-2.0
// Commands on images: reads, writes, copies, copies from and to buffers, fills.
//
// Host memory is transferred through a packed staging buffer, as for buffers. Surfaces whose texels
// are rows in a buffer are handled as rectangles of that buffer. Vulkan requires buffer offsets to
// be multiples of a texel, and copies only between certain image types: other copies go through a
// packed scratch buffer on the device. A fill copies a run of texels to one box after the other.
#include "command/image.h"

#include <stdlib.h>
#include <string.h>

#include "command/internal.h"

enum { BOXES = 64, SCRATCH = COMMAND_BUFFERS - 1 };
#define SEED UINT64_C(1048576) // bytes of the texel run that fills copy

struct image_op {
    struct command base;
    VkImage image;
    VkBufferImageCopy region; // bufferOffset is set when recording
    bool to_image;
    VkBuffer buffer; // the other side, in device memory
    uint64_t offset; // in the handle
    uint64_t size;   // packed bytes
    bool through_scratch;
    uint8_t *host; // the other side, in host memory
    struct cmd_rect rect;
    uint64_t bytes[3]; // of the region: bytes, rows, slices
    bool staged;
};

// ---- regions ------------------------------------------------------------------------------------

static uint64_t region_texels(const size_t region[3])
{
    return (uint64_t)region[0] * region[1] * region[2];
}

static VkImageSubresourceLayers layers_of(enum vk_image_dim dim, uint32_t level, const size_t origin[3],
                                          const size_t region[3])
{
    VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
    int axis = dim == VK_IMAGE_DIM_1D_ARRAY ? 1 : dim == VK_IMAGE_DIM_2D_ARRAY ? 2 : 0;
    if (axis) {
        layers.baseArrayLayer = (uint32_t)origin[axis];
        layers.layerCount = (uint32_t)region[axis];
    }
    return layers;
}

static VkOffset3D offset_of(enum vk_image_dim dim, const size_t origin[3])
{
    VkOffset3D offset = {(int32_t)origin[0], 0, 0};
    if (dim >= VK_IMAGE_DIM_2D)
        offset.y = (int32_t)origin[1];
    if (dim == VK_IMAGE_DIM_3D)
        offset.z = (int32_t)origin[2];
    return offset;
}

static VkExtent3D extent_of(enum vk_image_dim dim, const size_t region[3])
{
    VkExtent3D extent = {(uint32_t)region[0], 1, 1};
    if (dim >= VK_IMAGE_DIM_2D)
        extent.height = (uint32_t)region[1];
    if (dim == VK_IMAGE_DIM_3D)
        extent.depth = (uint32_t)region[2];
    return extent;
}

static VkBufferImageCopy buffer_region(enum vk_image_dim dim, uint32_t level, const size_t origin[3],
                                       const size_t region[3])
{
    return (VkBufferImageCopy){
        .imageSubresource = layers_of(dim, level, origin, region),
        .imageOffset = offset_of(dim, origin),
        .imageExtent = extent_of(dim, region),
    };
}

// The location of a region whose texels are rows in a buffer.
static struct cmd_rect surface_rect(const struct cmd_surface *surface, const size_t origin[3])
{
    return (struct cmd_rect){
        .offset = surface->offset + origin[2] * surface->slice_pitch + origin[1] * surface->row_pitch +
                  origin[0] * surface->texel,
        .row_pitch = surface->row_pitch,
        .slice_pitch = surface->slice_pitch ? surface->slice_pitch : surface->row_pitch,
    };
}

static void bytes_of(const struct cmd_surface *surface, const size_t region[3], size_t bytes[3])
{
    bytes[0] = region[0] * surface->texel;
    bytes[1] = region[1];
    bytes[2] = region[2];
}

// The bytes from the first to the last of a region.
static uint64_t rect_span(const struct cmd_rect *rect, const size_t bytes[3])
{
    return (bytes[2] - 1) * rect->slice_pitch + (bytes[1] - 1) * rect->row_pitch + bytes[0];
}

uint64_t cmd_surface_span(const struct cmd_surface *surface, const size_t origin[3], const size_t region[3],
                          uint64_t *first)
{
    struct cmd_rect rect = surface_rect(surface, origin);
    size_t bytes[3];
    bytes_of(surface, region, bytes);
    *first = rect.offset;
    return rect_span(&rect, bytes);
}

static struct cmd_rect packed_rect(uint64_t offset, const size_t bytes[3])
{
    return (struct cmd_rect){offset, bytes[0], (uint64_t)bytes[0] * bytes[1]};
}

static void access_image(struct command *command, const struct vk_image *image, bool write)
{
    cmd_access_add(command, &image->range, 0, image->range.size, write);
}

// ---- recording ----------------------------------------------------------------------------------

// Records one copy between the image and a buffer.
static void move(struct image_op *op, struct cmd_batch *batch, VkBuffer buffer, uint64_t offset)
{
    struct vk_device *device = op->base.queue->device;
    op->region.bufferOffset = offset;
    if (op->to_image)
        device->fn.CmdCopyBufferToImage(batch->commands, buffer, op->image, VK_IMAGE_LAYOUT_GENERAL,
                                        1, &op->region);
    else
        device->fn.CmdCopyImageToBuffer(batch->commands, op->image, VK_IMAGE_LAYOUT_GENERAL, buffer,
                                        1, &op->region);
}

static VkResult stage(struct image_op *op, cmd_buffer_fn create)
{
    struct vk_buffer *staging = &op->base.buffers[0];
    const size_t bytes[3] = {op->bytes[0], op->bytes[1], op->bytes[2]};
    struct cmd_rect packed = packed_rect(0, bytes);
    VkResult result = VK_SUCCESS;
    if (!staging->device)
        result = create(op->base.queue->device, VK_MEMORY_UPLOAD, op->size, staging);
    if (result != VK_SUCCESS)
        return result;
    cmd_copy_rows(staging->host, &packed, op->host, &op->rect, op->bytes);
    op->staged = true;
    return VK_SUCCESS;
}

VkResult record_image_write(struct command *command, struct cmd_batch *batch)
{
    struct image_op *op = (struct image_op *)command;
    VkResult result = op->staged ? VK_SUCCESS : stage(op, vk_buffer_create);
    if (result == VK_SUCCESS)
        move(op, batch, command->buffers[0].handle, command->buffers[0].offset);
    return result;
}

VkResult record_image_read(struct command *command, struct cmd_batch *batch)
{
    struct image_op *op = (struct image_op *)command;
    move(op, batch, command->buffers[0].handle, command->buffers[0].offset);
    return VK_SUCCESS;
}

void after_image_read(struct command *command)
{
    struct image_op *op = (struct image_op *)command;
    const size_t bytes[3] = {op->bytes[0], op->bytes[1], op->bytes[2]};
    struct cmd_rect packed = packed_rect(0, bytes);
    vk_buffer_invalidate(command->queue->device, &command->buffers[0], 0, op->size);
    cmd_copy_rows(op->host, &op->rect, command->buffers[0].host, &packed, op->bytes);
}

VkResult record_image_buffer(struct command *command, struct cmd_batch *batch)
{
    struct image_op *op = (struct image_op *)command;
    struct vk_device *device = command->queue->device;
    const struct vk_buffer *scratch = &command->buffers[SCRATCH];
    if (!op->through_scratch) {
        move(op, batch, op->buffer, op->offset);
        return VK_SUCCESS;
    }
    VkBufferCopy in = {op->offset, scratch->offset, op->size};
    VkBufferCopy out = {scratch->offset, op->offset, op->size};
    if (op->to_image)
        device->fn.CmdCopyBuffer(batch->commands, op->buffer, scratch->handle, 1, &in);
    else
        move(op, batch, scratch->handle, scratch->offset);
    vk_commands_barrier(device, batch->commands);
    if (op->to_image)
        move(op, batch, scratch->handle, scratch->offset);
    else
        device->fn.CmdCopyBuffer(batch->commands, scratch->handle, op->buffer, 1, &out);
    return VK_SUCCESS;
}

// ---- making -------------------------------------------------------------------------------------

static struct image_op *op_new(const struct cmd_request *request, enum cmd_id id,
                               const struct cmd_surface *surface, const size_t origin[3],
                               const size_t region[3], bool to_image)
{
    struct image_op *op = (struct image_op *)cmd_new(request, id, sizeof *op);
    size_t bytes[3];
    if (!op)
        return NULL;
    bytes_of(surface, region, bytes);
    for (int i = 0; i < 3; i++)
        op->bytes[i] = bytes[i];
    op->image = surface->image->handle;
    op->region = buffer_region(surface->image->dim, surface->level, origin, region);
    op->to_image = to_image;
    op->size = region_texels(region) * surface->texel;
    cmd_span_bytes(&op->base, op->size);
    access_image(&op->base, surface->image, to_image);
    return op;
}

static void set_host(struct image_op *op, void *data, const struct cmd_rect *rect)
{
    op->host = data;
    op->rect = *rect;
    op->base.host_writes = !op->to_image;
    op->base.host_begin = (uintptr_t)data + rect->offset;
    op->base.host_end = op->base.host_begin + (op->bytes[2] - 1) * rect->slice_pitch +
                        (op->bytes[1] - 1) * rect->row_pitch + op->bytes[0];
}

static cl_int drop(struct image_op *op, VkResult result)
{
    cmd_drop(&op->base);
    return cmd_error(result);
}

static cl_int move_host(const struct cmd_request *request, struct image_op *op,
                        struct command *profiled_from)
{
    struct vk_buffer *staging = &op->base.buffers[0];
    VkResult result = VK_SUCCESS;
    if (profiled_from)
        op->base.profiled_from = cmd_retain(profiled_from);
    if (!op->to_image)
        result = cmd_buffer_create(request->queue->device, VK_MEMORY_STAGED, op->size, staging);
    else if (cmd_may_read_host(request, &op->base)) {
        result = stage(op, cmd_buffer_create);
        op->base.host_end = 0; // the host memory has been read
    }
    return result == VK_SUCCESS ? cmd_enqueue(request, &op->base) : drop(op, result);
}

// A transfer between an image and host memory, and its division into pieces: each is some slices,
// or some rows of one slice.
struct host_transfer {
    const struct cmd_surface *surface;
    const size_t *origin, *region;
    uint8_t *data;
    struct cmd_rect host;
    bool write;
    size_t slices, rows; // of a piece
    size_t pieces_per_slice;
};

static cl_int transfer_box(const struct cmd_request *request, const struct host_transfer *t,
                           const size_t at[3], const size_t box[3], struct command *profiled_from)
{
    size_t origin[3];
    for (int i = 0; i < 3; i++)
        origin[i] = t->origin[i] + at[i];
    struct image_op *op = op_new(request, t->write ? CMD_IMAGE_WRITE : CMD_IMAGE_READ, t->surface,
                                 origin, box, t->write);
    struct cmd_rect host = t->host;
    if (!op)
        return CL_OUT_OF_HOST_MEMORY;
    host.offset += at[2] * host.slice_pitch + at[1] * host.row_pitch;
    set_host(op, t->data, &host);
    return move_host(request, op, profiled_from);
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static cl_int image_piece(const struct cmd_request *request, uint64_t n, struct command *first,
                          const void *data)
{
    const struct host_transfer *t = data;
    const size_t at[3] = {0, n % t->pieces_per_slice * t->rows,
                          n / t->pieces_per_slice * t->slices};
    const size_t box[3] = {t->region[0], min_size(t->rows, t->region[1] - at[1]),
                           min_size(t->slices, t->region[2] - at[2])};
    return transfer_box(request, t, at, box, first);
}

static cl_int transfer(const struct cmd_request *request, struct host_transfer *t)
{
    static const size_t start[3];
    size_t row = t->region[0] * t->surface->texel, slice = row * t->region[1];
    if (!request->blocking || slice * t->region[2] <= 2 * CMD_PIECE)
        return transfer_box(request, t, start, t->region, NULL);
    t->slices = slice < CMD_PIECE ? CMD_PIECE / slice : 1;
    t->rows = slice < CMD_PIECE ? t->region[1] : row < CMD_PIECE ? CMD_PIECE / row : 1;
    t->pieces_per_slice = (t->region[1] + t->rows - 1) / t->rows;
    size_t steps = (t->region[2] + t->slices - 1) / t->slices;
    return cmd_in_pieces(request, steps * t->pieces_per_slice, image_piece, t);
}

cl_int cmd_image_write(const struct cmd_request *request, const struct cmd_surface *surface,
                       const size_t origin[3], const size_t region[3], const void *data,
                       const struct cmd_rect *host)
{
    struct host_transfer t = {surface, origin, region, (uint8_t *)(uintptr_t)data, *host, true,
                              0,       0,      0};
    struct cmd_rect device = surface_rect(surface, origin);
    size_t bytes[3];
    if (surface->image)
        return transfer(request, &t);
    bytes_of(surface, region, bytes);
    return cmd_write_rect(request, surface->buffer, &device, data, host, bytes);
}

cl_int cmd_image_read(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], void *data,
                      const struct cmd_rect *host)
{
    struct host_transfer t = {surface, origin, region, data, *host, false, 0, 0, 0};
    struct cmd_rect device = surface_rect(surface, origin);
    size_t bytes[3];
    if (surface->image)
        return transfer(request, &t);
    bytes_of(surface, region, bytes);
    return cmd_read_rect(request, surface->buffer, &device, data, host, bytes);
}

// Copies between an image and bytes of a buffer with the given pitches.
static cl_int with_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                          const size_t origin[3], const size_t region[3], bool to_image,
                          struct vk_buffer *buffer, const struct cmd_rect *rect)
{
    size_t bytes[3];
    bytes_of(surface, region, bytes);
    struct image_op *op = op_new(request, CMD_IMAGE_BUFFER, surface, origin, region, to_image);
    if (!op)
        return CL_OUT_OF_HOST_MEMORY;
    op->buffer = buffer->handle;
    op->offset = buffer->offset + rect->offset;
    op->region.bufferRowLength = (uint32_t)(rect->row_pitch / surface->texel);
    if (region[2] > 1)
        op->region.bufferImageHeight = (uint32_t)(rect->slice_pitch / rect->row_pitch);
    cmd_access_add(&op->base, buffer, rect->offset, rect_span(rect, bytes), !to_image);
    op->base.replay_exclusive = op->through_scratch = op->offset % surface->texel != 0;
    VkResult result = VK_SUCCESS;
    if (op->through_scratch)
        result = cmd_buffer_create(request->queue->device, VK_MEMORY_DEVICE, op->size,
                                   &op->base.buffers[SCRATCH]);
    return result == VK_SUCCESS ? cmd_enqueue(request, &op->base) : drop(op, result);
}

cl_int cmd_image_to_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                           const size_t origin[3], const size_t region[3], struct vk_buffer *buffer,
                           uint64_t offset)
{
    size_t bytes[3];
    bytes_of(surface, region, bytes);
    struct cmd_rect to = packed_rect(offset, bytes);
    if (surface->image)
        return with_buffer(request, surface, origin, region, false, buffer, &to);
    struct cmd_rect from = surface_rect(surface, origin);
    return cmd_copy_rect(request, surface->buffer, &from, buffer, &to, bytes);
}

cl_int cmd_image_from_buffer(const struct cmd_request *request, const struct cmd_surface *surface,
                             const size_t origin[3], const size_t region[3],
                             struct vk_buffer *buffer, uint64_t offset)
{
    size_t bytes[3];
    bytes_of(surface, region, bytes);
    struct cmd_rect from = packed_rect(offset, bytes);
    if (surface->image)
        return with_buffer(request, surface, origin, region, true, buffer, &from);
    struct cmd_rect to = surface_rect(surface, origin);
    return cmd_copy_rect(request, buffer, &from, surface->buffer, &to, bytes);
}

// ---- copies between images ----------------------------------------------------------------------

struct image_copy {
    struct command base;
    VkImage src, dst;
    VkImageCopy region;
    VkBufferImageCopy from, to; // for copies through the scratch buffer
};

VkResult record_image_copy(struct command *command, struct cmd_batch *batch)
{
    struct image_copy *copy = (struct image_copy *)command;
    struct vk_device *device = command->queue->device;
    const struct vk_buffer *scratch = &command->buffers[SCRATCH];
    const VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    if (!scratch->device) {
        device->fn.CmdCopyImage(batch->commands, copy->src, layout, copy->dst, layout, 1,
                                &copy->region);
        return VK_SUCCESS;
    }
    copy->from.bufferOffset = copy->to.bufferOffset = scratch->offset;
    device->fn.CmdCopyImageToBuffer(batch->commands, copy->src, layout, scratch->handle, 1,
                                    &copy->from);
    vk_commands_barrier(device, batch->commands);
    device->fn.CmdCopyBufferToImage(batch->commands, scratch->handle, copy->dst, layout, 1,
                                    &copy->to);
    return VK_SUCCESS;
}

static bool is_1d(enum vk_image_dim dim)
{
    return dim < VK_IMAGE_DIM_2D;
}

// Vulkan copies between images of the same type, and between 2D images and slices of 3D ones. A
// region of several rows means layers for a 1D array and rows for other images.
static bool copies_directly(enum vk_image_dim src, enum vk_image_dim dst)
{
    return is_1d(src) == is_1d(dst);
}

static void set_copy(struct image_copy *copy, const struct cmd_surface *src,
                     const size_t src_origin[3], const struct cmd_surface *dst,
                     const size_t dst_origin[3], const size_t region[3])
{
    enum vk_image_dim from = src->image->dim, to = dst->image->dim;
    bool deep = from == VK_IMAGE_DIM_3D || to == VK_IMAGE_DIM_3D;
    copy->src = src->image->handle;
    copy->dst = dst->image->handle;
    copy->region = (VkImageCopy){
        .srcSubresource = layers_of(from, src->level, src_origin, region),
        .srcOffset = offset_of(from, src_origin),
        .dstSubresource = layers_of(to, dst->level, dst_origin, region),
        .dstOffset = offset_of(to, dst_origin),
        .extent = extent_of(deep ? VK_IMAGE_DIM_3D : from, region),
    };
    copy->from = buffer_region(from, src->level, src_origin, region);
    copy->to = buffer_region(to, dst->level, dst_origin, region);
}

static cl_int copy_images(const struct cmd_request *request, const struct cmd_surface *src,
                          const size_t src_origin[3], const struct cmd_surface *dst,
                          const size_t dst_origin[3], const size_t region[3])
{
    struct image_copy *copy = (struct image_copy *)cmd_new(request, CMD_IMAGE_COPY, sizeof *copy);
    if (!copy)
        return CL_OUT_OF_HOST_MEMORY;
    set_copy(copy, src, src_origin, dst, dst_origin, region);
    cmd_span_bytes(&copy->base, region_texels(region) * src->texel);
    access_image(&copy->base, src->image, false);
    access_image(&copy->base, dst->image, true);
    VkResult result = VK_SUCCESS;
    copy->base.replay_exclusive = !copies_directly(src->image->dim, dst->image->dim);
    if (copy->base.replay_exclusive)
        result = cmd_buffer_create(request->queue->device, VK_MEMORY_DEVICE,
                                   region_texels(region) * src->texel, &copy->base.buffers[SCRATCH]);
    if (result != VK_SUCCESS) {
        cmd_drop(&copy->base);
        return cmd_error(result);
    }
    return cmd_enqueue(request, &copy->base);
}

cl_int cmd_image_copy(const struct cmd_request *request, const struct cmd_surface *src,
                      const size_t src_origin[3], const struct cmd_surface *dst,
                      const size_t dst_origin[3], const size_t region[3])
{
    if (src->image && dst->image)
        return copy_images(request, src, src_origin, dst, dst_origin, region);
    struct cmd_rect from = surface_rect(src, src_origin), to = surface_rect(dst, dst_origin);
    size_t bytes[3];
    bytes_of(src, region, bytes);
    if (src->image)
        return with_buffer(request, src, src_origin, region, false, dst->buffer, &to);
    if (dst->image)
        return with_buffer(request, dst, dst_origin, region, true, src->buffer, &from);
    return cmd_copy_rect(request, src->buffer, &from, dst->buffer, &to, bytes);
}

// ---- fills --------------------------------------------------------------------------------------

struct image_fill {
    struct command base;
    VkImage image; // or NULL: rows of a buffer
    enum vk_image_dim dim;
    uint32_t level;
    VkBuffer buffer;
    struct cmd_rect rect; // in its handle
    size_t origin[3], region[3];
    uint32_t texel;
    uint64_t run; // texels in the seed
};

static void fill_boxes(struct image_fill *fill, struct cmd_batch *batch,
                       const struct vk_buffer *seed)
{
    struct vk_device *device = fill->base.queue->device;
    const size_t *region = fill->region;
    VkBufferImageCopy boxes[BOXES];
    uint32_t count = 0;
    size_t step[3], at[3];
    step[0] = min_size(region[0], fill->run);
    step[1] = step[0] == region[0] ? min_size(region[1], fill->run / step[0]) : 1;
    step[2] = step[1] == region[1] ? min_size(region[2], fill->run / (step[0] * step[1])) : 1;
    for (at[2] = 0; at[2] < region[2]; at[2] += step[2])
        for (at[1] = 0; at[1] < region[1]; at[1] += step[1])
            for (at[0] = 0; at[0] < region[0]; at[0] += step[0]) {
                size_t origin[3], box[3];
                for (int i = 0; i < 3; i++) {
                    origin[i] = fill->origin[i] + at[i];
                    box[i] = min_size(step[i], region[i] - at[i]);
                }
                boxes[count] = buffer_region(fill->dim, fill->level, origin, box);
                boxes[count++].bufferOffset = seed->offset;
                if (count < BOXES)
                    continue;
                device->fn.CmdCopyBufferToImage(batch->commands, seed->handle, fill->image,
                                                VK_IMAGE_LAYOUT_GENERAL, count, boxes);
                count = 0;
            }
    if (count)
        device->fn.CmdCopyBufferToImage(batch->commands, seed->handle, fill->image,
                                        VK_IMAGE_LAYOUT_GENERAL, count, boxes);
}

static void fill_rows(struct image_fill *fill, struct cmd_batch *batch,
                      const struct vk_buffer *seed)
{
    struct vk_device *device = fill->base.queue->device;
    const struct cmd_rect *rect = &fill->rect;
    uint64_t row = fill->region[0] * fill->texel, run = fill->run * fill->texel;
    for (size_t i = 0; i < fill->region[1] * fill->region[2]; i++)
        for (uint64_t x = 0; x < row; x += run) {
            size_t y = i % fill->region[1], z = i / fill->region[1];
            VkBufferCopy piece = {seed->offset, rect->offset + z * rect->slice_pitch + y * rect->row_pitch + x,
                                  row - x < run ? row - x : run};
            device->fn.CmdCopyBuffer(batch->commands, seed->handle, fill->buffer, 1, &piece);
        }
}

VkResult record_image_fill(struct command *command, struct cmd_batch *batch)
{
    struct image_fill *fill = (struct image_fill *)command;
    struct vk_device *device = command->queue->device;
    const struct vk_buffer *seed = &command->buffers[0], *near = &command->buffers[1];
    if (near->device) {
        VkBufferCopy whole = {seed->offset, near->offset, seed->size};
        device->fn.CmdCopyBuffer(batch->commands, seed->handle, near->handle, 1, &whole);
        vk_commands_barrier(device, batch->commands);
        seed = near;
    }
    if (fill->image)
        fill_boxes(fill, batch, seed);
    else
        fill_rows(fill, batch, seed);
    return VK_SUCCESS;
}

static VkResult make_seed(struct image_fill *fill, const void *texel)
{
    struct vk_device *device = fill->base.queue->device;
    struct vk_buffer *seed = &fill->base.buffers[0];
    uint64_t total = region_texels(fill->region) * fill->texel, size = total < SEED ? total : SEED;
    VkResult result = vk_buffer_create(device, VK_MEMORY_UPLOAD, size, seed);
    if (result == VK_SUCCESS && total > SEED && !device->facts->unified)
        result = vk_buffer_create(device, VK_MEMORY_DEVICE, size, &fill->base.buffers[1]);
    if (result != VK_SUCCESS)
        return result;
    fill->run = size / fill->texel;
    for (uint64_t i = 0; i < fill->run; i++)
        memcpy((uint8_t *)seed->host + i * fill->texel, texel, fill->texel);
    return VK_SUCCESS;
}

cl_int cmd_image_fill(const struct cmd_request *request, const struct cmd_surface *surface,
                      const size_t origin[3], const size_t region[3], const void *texel)
{
    struct image_fill *fill = (struct image_fill *)cmd_new(request, CMD_IMAGE_FILL, sizeof *fill);
    if (!fill)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(fill->origin, origin, sizeof fill->origin);
    memcpy(fill->region, region, sizeof fill->region);
    fill->texel = surface->texel;
    cmd_span_bytes(&fill->base, region_texels(region) * surface->texel);
    if (surface->image) {
        fill->image = surface->image->handle;
        fill->dim = surface->image->dim;
        fill->level = surface->level;
        access_image(&fill->base, surface->image, true);
    } else {
        fill->buffer = surface->buffer->handle;
        uint64_t first, span = cmd_surface_span(surface, origin, region, &first);
        fill->rect = surface_rect(surface, origin);
        cmd_access_add(&fill->base, surface->buffer, first, span, true);
        fill->rect.offset += surface->buffer->offset;
    }
    VkResult result = make_seed(fill, texel);
    if (result != VK_SUCCESS) {
        cmd_drop(&fill->base);
        return cmd_error(result);
    }
    return cmd_enqueue(request, &fill->base);
}

// ---- layouts ------------------------------------------------------------------------------------

struct image_begin {
    struct command base;
    struct vk_image *image;
};

VkResult record_image_begin(struct command *command, struct cmd_batch *batch)
{
    vk_image_begin(((struct image_begin *)command)->image, batch->commands);
    return VK_SUCCESS;
}

cl_int cmd_image_begin(const struct cmd_request *request, struct vk_image *image)
{
    struct image_begin *begin =
        (struct image_begin *)cmd_new(request, CMD_IMAGE_BEGIN, sizeof *begin);
    if (!begin)
        return CL_OUT_OF_HOST_MEMORY;
    begin->image = image;
    access_image(&begin->base, image, true);
    return cmd_enqueue(request, &begin->base);
}
