// SPDX-License-Identifier: Apache-2.0
// Reads, writes, copies, fills and maps of images.
//
// Regions are checked in texels against the image, pitches of host memory are completed, the
// image's surface is determined; then one cmd_image_*() call does the rest.
#include "api/memory.h"
#include "api/place.h"
#include "api/record.h"

#include <string.h>

#include "object/usm.h"

// ---- checks -------------------------------------------------------------------------------------

static cl_int check_image(const struct api_enqueue *enqueue, cl_mem image)
{
    TRY(memory_check(enqueue, image));
    if (!image->image)
        return REFUSE(CL_INVALID_MEM_OBJECT, "not an image");
    if (!enqueue->queue->device->caps.images)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support images");
    if (image->image->format.cl.image_channel_order == CL_DEPTH_STENCIL)
        return REFUSE(CL_INVALID_OPERATION, "images of depth and stencil can be accessed by kernels only");
    return CL_SUCCESS;
}

// The start of a region, and the mip level.
struct image_position {
    size_t origin[3];
    uint32_t level;
};

// For an image with several mip levels, an additional coordinate is the level.
static cl_int read_position(const struct _cl_mem *image, const size_t *origin, const size_t *region,
                            struct image_position *at)
{
    static const uint8_t dimensions[] = {
        [CL_MEM_OBJECT_IMAGE2D - CL_MEM_OBJECT_IMAGE2D] = 2, [CL_MEM_OBJECT_IMAGE3D - CL_MEM_OBJECT_IMAGE2D] = 3,
        [CL_MEM_OBJECT_IMAGE2D_ARRAY - CL_MEM_OBJECT_IMAGE2D] = 3, [CL_MEM_OBJECT_IMAGE1D - CL_MEM_OBJECT_IMAGE2D] = 1,
        [CL_MEM_OBJECT_IMAGE1D_ARRAY - CL_MEM_OBJECT_IMAGE2D] = 2, [CL_MEM_OBJECT_IMAGE1D_BUFFER - CL_MEM_OBJECT_IMAGE2D] = 1,
    };
    size_t whole[3], count = dimensions[image->type - CL_MEM_OBJECT_IMAGE2D];
    bool levels = image->image->levels > 1;
    if (!origin || !region)
        return REFUSE(CL_INVALID_VALUE, "the origin or the region is NULL");
    *at = (struct image_position){.level = 0};
    memcpy(at->origin, origin, (levels ? count : 3) * sizeof *origin);
    if (levels && origin[count] >= image->image->levels)
        return REFUSE(CL_INVALID_MIP_LEVEL, "mip level %zu is out of range, the image has %u", origin[count], image->image->levels);
    if (levels)
        at->level = (uint32_t)origin[count];
    image_level_region(image, at->level, whole);
    for (int i = 0; i < 3; i++)
        if (!region[i] || at->origin[i] >= whole[i] || region[i] > whole[i] - at->origin[i])
            return REFUSE(CL_INVALID_VALUE, "%zu texels at %zu exceed dimension %d of %zu", region[i],
                          at->origin[i], i, whole[i]);
    return CL_SUCCESS;
}

static bool has_slices(cl_mem_object_type type)
{
    return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
}

// Completes the pitches of host memory. For a 1D array the next row is a slice.
static cl_int take_pitches(const struct _cl_mem *image, const size_t *region, size_t row_pitch,
                           size_t slice_pitch, struct cmd_rect *host)
{
    bool rows_are_slices = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t row = region[0] * image->image->format.texel, slice;
    if (row_pitch && row_pitch < row)
        return REFUSE(CL_INVALID_VALUE, "invalid row pitch %zu for rows of %zu bytes", row_pitch, row);
    if (!row_pitch)
        row_pitch = row;
    if (slice_pitch && !has_slices(image->type))
        return REFUSE(CL_INVALID_VALUE, "a slice pitch is specified for an image without slices");
    if (__builtin_mul_overflow(row_pitch, rows_are_slices ? 1 : region[1], &slice) ||
        (slice_pitch && slice_pitch < slice))
        return REFUSE(CL_INVALID_VALUE, "invalid slice pitch %zu", slice_pitch);
    if (!slice_pitch)
        slice_pitch = slice;
    *host = (struct cmd_rect){0, rows_are_slices ? slice_pitch : row_pitch, slice_pitch};
    return CL_SUCCESS;
}

static bool boxes_overlap(const size_t a[3], const size_t b[3], const size_t region[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] >= b[i] + region[i] || b[i] >= a[i] + region[i])
            return false;
    return true;
}

// ---- reads and writes ---------------------------------------------------------------------------

struct image_call {
    cl_mem image;
    const size_t *origin, *region;
    size_t row_pitch, slice_pitch;
    const void *pointer;
    bool write;
};

// For host memory that is shared with the device, which may be using it.
static cl_int find_shared(struct api_enqueue *enqueue, const void *pointer,
                          const struct cmd_rect *rect, const size_t region[3])
{
    struct place place;
    TRY(place_find_host(enqueue, pointer, rect->slice_pitch * region[2], &place));
    if (place.buffer && !usm_seen_by_host(place.mem))
        return REFUSE(CL_INVALID_VALUE, "%p is not accessible from the host", pointer);
    enqueue->request.shared_host = place.buffer != NULL;
    return CL_SUCCESS;
}

static cl_int transfer(struct api_enqueue *enqueue, const struct image_call *call)
{
    const struct cmd_surface *surface;
    struct image_position at;
    struct cmd_rect host;
    TRY(check_image(enqueue, call->image));
    TRY(read_position(call->image, call->origin, call->region, &at));
    TRY(take_pitches(call->image, call->region, call->row_pitch, call->slice_pitch, &host));
    TRY(memory_check_host(call->image, call->write ? NO_HOST_WRITE : NO_HOST_READ, call->pointer));
    TRY(find_shared(enqueue, call->pointer, &host, call->region));
    enqueue->only_reads = !call->write;
    TRY(api_enqueue_surface(enqueue, call->image, &surface));
    surface += at.level;
    if (call->write)
        return cmd_image_write(&enqueue->request, surface, at.origin, call->region, call->pointer, &host);
    return cmd_image_read(&enqueue->request, surface, at.origin, call->region, (void *)call->pointer, &host);
}

static cl_int enqueue_transfer(cl_command_queue queue, const struct image_call *call,
                               cl_bool blocking, cl_uint wait_count, const cl_event *waits,
                               cl_event *event)
{
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, queue, wait_count, waits, event));
    api_enqueue_block(&enqueue, blocking);
    cl_int error = transfer(&enqueue, call);
    cl_command_type type = call->write ? CL_COMMAND_WRITE_IMAGE : CL_COMMAND_READ_IMAGE;
    return api_enqueue_end(&enqueue, error, type, event);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                      cl_bool blocking_read, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch,
                                      void *ptr, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct image_call call = {image, origin, region, row_pitch, slice_pitch, ptr, false};
    return enqueue_transfer(command_queue, &call, blocking_read, num_events_in_wait_list,
                            event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                       cl_bool blocking_write, const size_t *origin,
                                       const size_t *region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void *ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct image_call call = {image, origin, region, input_row_pitch, input_slice_pitch,
                                    ptr,   true};
    return enqueue_transfer(command_queue, &call, blocking_write, num_events_in_wait_list,
                            event_wait_list, event);
}

// ---- fills --------------------------------------------------------------------------------------

cl_int transfer_fill_image(struct api_enqueue *enqueue, cl_mem image, const void *color,
                           const size_t *origin, const size_t *region)
{
    const struct cmd_surface *surface;
    struct image_position at;
    unsigned char texel[16];
    TRY(check_image(enqueue, image));
    TRY(memory_check_written(image));
    TRY(read_position(image, origin, region, &at));
    if (!color)
        return REFUSE(CL_INVALID_VALUE, "no colour");
    TRY(api_enqueue_surface(enqueue, image, &surface));
    image_format_pack(&image->image->format, color, texel);
    return cmd_image_fill(&enqueue->request, surface + at.level, at.origin, region, texel);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void *fill_color, const size_t *origin,
                                      const size_t *region, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_fill_image(&enqueue, image, fill_color, origin, region);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_FILL_IMAGE, event);
}

// ---- copies -------------------------------------------------------------------------------------

// Images in the same buffer may overlap there.
static cl_int check_shared(const struct _cl_mem *src, const struct _cl_mem *dst, uint64_t from,
                           uint64_t from_size, uint64_t to, uint64_t to_size)
{
    if (src->storage == dst->storage && from < to + to_size && to < from + from_size)
        return REFUSE(CL_MEM_COPY_OVERLAP, "the source and the destination overlap in their buffer");
    return CL_SUCCESS;
}

// The bytes that a region of an image in a buffer spans.
static uint64_t span_begin(const struct _cl_mem *image, const size_t *origin)
{
    const size_t *pitches = image->image->host_pitches;
    return image->storage_offset + origin[2] * pitches[1] + origin[1] * pitches[0] +
           origin[0] * image->image->format.texel;
}

static uint64_t span_size(const struct _cl_mem *image, const size_t *region)
{
    const size_t *pitches = image->image->host_pitches;
    return (region[2] - 1) * pitches[1] + (region[1] - 1) * pitches[0] + region[0] * image->image->format.texel;
}

static bool in_buffer(const struct _cl_mem *image)
{
    return image->storage->type == CL_MEM_OBJECT_BUFFER;
}

static cl_int check_overlap(const struct _cl_mem *src, const struct image_position *from,
                            const struct _cl_mem *dst, const struct image_position *to,
                            const size_t *region)
{
    bool same = src == dst || (src->storage == dst->storage && !in_buffer(src));
    if (same)
        return from->level == to->level && boxes_overlap(from->origin, to->origin, region)
                   ? REFUSE(CL_MEM_COPY_OVERLAP, "the source and the destination overlap")
                   : CL_SUCCESS;
    if (!in_buffer(src) || !in_buffer(dst))
        return CL_SUCCESS;
    return check_shared(src, dst, span_begin(src, from->origin), span_size(src, region),
                        span_begin(dst, to->origin), span_size(dst, region));
}

cl_int transfer_copy_image(struct api_enqueue *enqueue, cl_mem src, cl_mem dst, const size_t *src_origin,
                           const size_t *dst_origin, const size_t *region)
{
    const struct cmd_surface *from, *to;
    struct image_position out, in;
    TRY(check_image(enqueue, src));
    TRY(check_image(enqueue, dst));
    TRY(memory_check_written(dst));
    if (memcmp(&src->image->format.cl, &dst->image->format.cl, sizeof src->image->format.cl))
        return REFUSE(CL_IMAGE_FORMAT_MISMATCH, "the images' formats differ");
    TRY(read_position(src, src_origin, region, &out));
    TRY(read_position(dst, dst_origin, region, &in));
    TRY(check_overlap(src, &out, dst, &in, region));
    enqueue->only_reads = true;
    TRY(api_enqueue_surface(enqueue, src, &from));
    TRY(api_enqueue_surface(enqueue, dst, &to));
    return cmd_image_copy(&enqueue->request, from + out.level, out.origin, to + in.level, in.origin, region);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t *src_origin,
                                      const size_t *dst_origin, const size_t *region,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_copy_image(&enqueue, src_image, dst_image, src_origin, dst_origin, region);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COPY_IMAGE, event);
}

cl_int transfer_image_buffer(struct api_enqueue *enqueue, const struct image_buffer_call *call)
{
    const struct cmd_surface *surface;
    struct image_position at;
    struct vk_buffer *buffer;
    uint64_t base;
    TRY(check_image(enqueue, call->image));
    TRY(memory_check_buffer(enqueue, call->buffer));
    TRY(memory_check_written(call->to_image ? call->image : call->buffer));
    TRY(read_position(call->image, call->origin, call->region, &at));
    size_t texels = call->region[0] * call->region[1] * call->region[2];
    size_t size = texels * call->image->image->format.texel;
    if (call->offset > call->buffer->size || size > call->buffer->size - call->offset)
        return REFUSE(CL_INVALID_VALUE, "%zu bytes at offset %zu exceed the buffer of %zu bytes", size, call->offset,
                      call->buffer->size);
    if (in_buffer(call->image))
        TRY(check_shared(call->image, call->buffer, span_begin(call->image, at.origin),
                         span_size(call->image, call->region),
                         call->buffer->storage_offset + call->offset, size));
    enqueue->only_reads = !call->to_image;
    TRY(api_enqueue_surface(enqueue, call->image, &surface));
    enqueue->only_reads = call->to_image;
    TRY(api_enqueue_buffer(enqueue, call->buffer, &buffer, &base));
    base += call->offset;
    surface += at.level;
    if (call->to_image)
        return cmd_image_from_buffer(&enqueue->request, surface, at.origin, call->region, buffer, base);
    return cmd_image_to_buffer(&enqueue->request, surface, at.origin, call->region, buffer, base);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t *src_origin,
                                              const size_t *region, size_t dst_offset,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct image_buffer_call call = {src_image, dst_buffer, src_origin, region, dst_offset, false};
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_image_buffer(&enqueue, &call);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COPY_IMAGE_TO_BUFFER, event);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t *dst_origin, const size_t *region,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct image_buffer_call call = {dst_image, src_buffer, dst_origin, region, src_offset, true};
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_image_buffer(&enqueue, &call);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COPY_BUFFER_TO_IMAGE, event);
}

// ---- maps ---------------------------------------------------------------------------------------

struct map_call {
    cl_mem image;
    cl_map_flags flags;
    const size_t *origin, *region;
    size_t *row_pitch, *slice_pitch;
};

// Mapping an image in a buffer maps bytes of the buffer.
static cl_int reserve(const struct map_call *call, const struct image_position *at,
                      struct memobj_mapping **entry)
{
    const struct _cl_mem *image = call->image;
    bool writes = call->flags & MAP_WRITES;
    cl_int error;
    if (in_buffer(image))
        error = memobj_reserve_mapping(call->image,
                                       span_begin(image, at->origin) - image->storage_offset,
                                       span_size(image, call->region), writes, entry);
    else
        error = memobj_reserve_box(call->image, at->level, at->origin, call->region, writes, entry);
    return error ? REFUSE(error, "the region is already mapped for writing") : CL_SUCCESS;
}

static void return_pitches(const struct map_call *call, const size_t pitches[2])
{
    const struct _cl_mem *image = call->image;
    if (image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) { // its rows are slices
        *call->row_pitch = *call->slice_pitch = pitches[0];
        return;
    }
    *call->row_pitch = pitches[0];
    if (call->slice_pitch)
        *call->slice_pitch = has_slices(image->type) ? pitches[1] : 0;
}

static cl_int map(struct api_enqueue *enqueue, const struct map_call *call, void **out)
{
    const struct cmd_surface *surface;
    struct memobj_mapping *entry;
    struct cmd_mapping *mapping;
    struct image_position at;
    size_t pitches[2];
    cl_mem image = call->image;
    TRY(check_image(enqueue, image));
    TRY(read_position(image, call->origin, call->region, &at));
    TRY(memory_check_map(image, call->flags));
    if (!call->row_pitch || (!call->slice_pitch && has_slices(image->type)))
        return REFUSE(CL_INVALID_VALUE, "the pointer for a pitch is NULL");
    enqueue->only_reads = !(call->flags & MAP_WRITES);
    TRY(api_enqueue_surface(enqueue, image, &surface));
    TRY(reserve(call, &at, &entry));
    void *shown = memobj_map_address(image, enqueue->queue->device_index);
    // An additional reference: a blocking map has released its hold when it returns.
    object_use(image);
    cl_int error = cmd_image_map(&enqueue->request, surface + at.level, at.origin, call->region, shown,
                                 image->image->host_pitches, call->flags, &mapping, out, pitches);
    if (error)
        memobj_remove_mapping(entry);
    else
        memobj_set_mapping(entry, enqueue->queue->device_index, mapping, *out);
    if (!error)
        return_pitches(call, pitches);
    object_drop(image);
    return error;
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                    cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t *origin, const size_t *region,
                                    size_t *image_row_pitch, size_t *image_slice_pitch,
                                    cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event,
                                    cl_int *errcode_ret)
{
    API_CALL;
    const struct map_call call = {image,  map_flags,       origin,
                                  region, image_row_pitch, image_slice_pitch};
    struct api_enqueue enqueue;
    void *pointer = NULL;
    cl_int error =
        api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list, event);
    if (!error) {
        api_enqueue_block(&enqueue, blocking_map);
        error = map(&enqueue, &call, &pointer);
        error = api_enqueue_end(&enqueue, error, CL_COMMAND_MAP_IMAGE, event);
    }
    api_set_error(errcode_ret, error);
    return error ? NULL : pointer;
}
