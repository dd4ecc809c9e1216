// SPDX-License-Identifier: Apache-2.0
// Reads, writes, copies, fills and maps of buffers; unmaps and migrations of all memory objects.
//
// Each entry point consists of a begin (queue and wait list), its checks in a static function, one
// cmd_*() call and an end.
#include "api/memory.h"
#include "api/place.h"
#include "api/record.h"

#include <stdlib.h>
#include <string.h>

// ---- checks -------------------------------------------------------------------------------------

cl_int memory_check(const struct api_enqueue *enqueue, cl_mem mem)
{
    TRY(api_check(mem, OBJECT_MEM));
    if (mem->context != enqueue->queue->context)
        return REFUSE(CL_INVALID_CONTEXT, "the memory object and the queue have different contexts");
    return CL_SUCCESS;
}

cl_int memory_check_buffer(const struct api_enqueue *enqueue, cl_mem buffer)
{
    TRY(memory_check(enqueue, buffer));
    if (buffer->type != CL_MEM_OBJECT_BUFFER)
        return REFUSE(CL_INVALID_MEM_OBJECT, "not a buffer");
    size_t align = enqueue->queue->device->caps.base_align_bits / 8;
    if (buffer->parent && buffer->origin % align)
        return REFUSE(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin %zu is not aligned to the device's %zu",
                      buffer->origin, align);
    return CL_SUCCESS;
}

static cl_int check_range(const struct _cl_mem *buffer, size_t offset, size_t size)
{
    if (offset > buffer->size || size > buffer->size - offset)
        return REFUSE(CL_INVALID_VALUE, "%zu bytes at offset %zu exceed the buffer of %zu bytes", size, offset,
                      buffer->size);
    return CL_SUCCESS;
}

cl_int memory_check_written(const struct _cl_mem *mem)
{
    if (mem->flags & CL_MEM_IMMUTABLE_EXT)
        return REFUSE(CL_INVALID_OPERATION, "the object is immutable");
    return CL_SUCCESS;
}

cl_int memory_check_host(const struct _cl_mem *mem, cl_mem_flags refused, const void *pointer)
{
    if (!pointer)
        return REFUSE(CL_INVALID_VALUE, "NULL host pointer");
    if (mem->flags & refused)
        return REFUSE(CL_INVALID_OPERATION, "the object's host access flags do not allow it");
    return CL_SUCCESS;
}

// ---- linear reads and writes --------------------------------------------------------------------

struct linear_call {
    cl_mem buffer;
    size_t offset, size;
    const void *pointer;
    bool write;
};

static cl_int transfer_linear(struct api_enqueue *enqueue, const struct linear_call *call)
{
    struct vk_buffer *device;
    struct place host;
    uint64_t base;
    TRY(memory_check_buffer(enqueue, call->buffer));
    TRY(check_range(call->buffer, call->offset, call->size));
    TRY(memory_check_host(call->buffer, call->write ? NO_HOST_WRITE : NO_HOST_READ, call->pointer));
    enqueue->only_reads = !call->write;
    TRY(api_enqueue_buffer(enqueue, call->buffer, &device, &base));
    if (!call->size)
        return cmd_marker(&enqueue->request);
    TRY(place_find_host(enqueue, call->pointer, call->size, &host));
    base += call->offset;
    if (host.buffer && call->write)
        return cmd_copy(&enqueue->request, host.buffer, host.offset, device, base, call->size);
    if (host.buffer)
        return cmd_copy(&enqueue->request, device, base, host.buffer, host.offset, call->size);
    TRY(api_enqueue_pinned(enqueue, call->pointer));
    if (call->write)
        return cmd_write(&enqueue->request, device, base, call->pointer, call->size);
    return cmd_read(&enqueue->request, device, base, (void *)call->pointer, call->size);
}

static cl_int enqueue_linear(cl_command_queue queue, const struct linear_call *call,
                             cl_bool blocking, cl_uint wait_count, const cl_event *waits,
                             cl_event *event)
{
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, queue, wait_count, waits, event));
    api_enqueue_block(&enqueue, blocking);
    cl_int error = transfer_linear(&enqueue, call);
    cl_command_type type = call->write ? CL_COMMAND_WRITE_BUFFER : CL_COMMAND_READ_BUFFER;
    return api_enqueue_end(&enqueue, error, type, event);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       cl_bool blocking_read, size_t offset, size_t size, void *ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct linear_call call = {buffer, offset, size, ptr, false};
    return enqueue_linear(command_queue, &call, blocking_read, num_events_in_wait_list,
                          event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                        cl_bool blocking_write, size_t offset, size_t size,
                                        const void *ptr, cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct linear_call call = {buffer, offset, size, ptr, true};
    return enqueue_linear(command_queue, &call, blocking_write, num_events_in_wait_list,
                          event_wait_list, event);
}

// ---- copies and fills ---------------------------------------------------------------------------

// The buffer that owns the memory.
static const struct _cl_mem *root_of(const struct _cl_mem *mem)
{
    return mem->storage;
}

static bool ranges_overlap(uint64_t a, uint64_t b, uint64_t size)
{
    return a < b + size && b < a + size;
}

cl_int transfer_copy(struct api_enqueue *enqueue, cl_mem src, cl_mem dst, size_t src_offset,
                     size_t dst_offset, size_t size)
{
    struct vk_buffer *from, *to;
    uint64_t from_base, to_base;
    TRY(memory_check_buffer(enqueue, src));
    TRY(memory_check_buffer(enqueue, dst));
    TRY(memory_check_written(dst));
    TRY(check_range(src, src_offset, size));
    TRY(check_range(dst, dst_offset, size));
    if (root_of(src) == root_of(dst) &&
        ranges_overlap(src->storage_offset + src_offset, dst->storage_offset + dst_offset, size))
        return REFUSE(CL_MEM_COPY_OVERLAP, "the source and the destination overlap");
    enqueue->only_reads = true;
    TRY(api_enqueue_buffer(enqueue, src, &from, &from_base));
    TRY(api_enqueue_buffer(enqueue, dst, &to, &to_base));
    if (!size)
        return cmd_marker(&enqueue->request);
    return cmd_copy(&enqueue->request, from, from_base + src_offset, to, to_base + dst_offset,
                    size);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                       cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_copy(&enqueue, src_buffer, dst_buffer, src_offset, dst_offset, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COPY_BUFFER, event);
}

cl_int transfer_fill(struct api_enqueue *enqueue, cl_mem buffer, const void *pattern,
                     size_t pattern_size, size_t offset, size_t size)
{
    struct vk_buffer *device;
    uint64_t base;
    TRY(memory_check_buffer(enqueue, buffer));
    TRY(memory_check_written(buffer));
    TRY(check_range(buffer, offset, size));
    if (!pattern || !pattern_size || pattern_size > 128 || pattern_size & (pattern_size - 1))
        return REFUSE(CL_INVALID_VALUE, "invalid pattern size of %zu bytes", pattern_size);
    if (offset % pattern_size || size % pattern_size)
        return REFUSE(CL_INVALID_VALUE,
                      "offset %zu or size %zu is not a multiple of the pattern size %zu", offset, size,
                      pattern_size);
    TRY(api_enqueue_buffer(enqueue, buffer, &device, &base));
    if (!size)
        return cmd_marker(&enqueue->request);
    return cmd_fill(&enqueue->request, device, base + offset, size, pattern, pattern_size);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       const void *pattern, size_t pattern_size, size_t offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = transfer_fill(&enqueue, buffer, pattern, pattern_size, offset, size);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_FILL_BUFFER, event);
}

// ---- rectangles ---------------------------------------------------------------------------------

// Completes the pitches; false if they are invalid or something overflows.
static bool rect_resolve(const struct rect_side *side, const size_t region[3], struct cmd_rect *rect,
                         uint64_t *end)
{
    uint64_t row = side->row_pitch ? side->row_pitch : region[0];
    uint64_t rows, slice, at[3], last[2];
    if (row < region[0] || __builtin_mul_overflow(row, region[1], &rows))
        return false;
    slice = side->slice_pitch ? side->slice_pitch : rows;
    if (slice < rows || slice % row)
        return false;
    if (__builtin_mul_overflow(side->origin[1], row, &at[1]) ||
        __builtin_mul_overflow(side->origin[2], slice, &at[2]) ||
        __builtin_add_overflow(at[1], at[2], &at[0]) ||
        __builtin_add_overflow(at[0], side->origin[0], &rect->offset) ||
        __builtin_mul_overflow(slice, region[2] - 1, &last[0]) ||
        __builtin_add_overflow(last[0], rows - row + region[0], &last[1]) ||
        __builtin_add_overflow(rect->offset, last[1], end))
        return false;
    rect->row_pitch = row;
    rect->slice_pitch = slice;
    return true;
}

static cl_int check_side(const struct rect_side *side, const size_t *region, uint64_t limit,
                         struct cmd_rect *rect)
{
    uint64_t end;
    if (!side->origin || !region)
        return REFUSE(CL_INVALID_VALUE, "the origin or the region is NULL");
    if (!region[0] || !region[1] || !region[2])
        return REFUSE(CL_INVALID_VALUE, "the region is empty");
    if (!rect_resolve(side, region, rect, &end))
        return REFUSE(CL_INVALID_VALUE, "row pitch %zu and slice pitch %zu are too small for the region",
                      side->row_pitch, side->slice_pitch);
    if (end > limit)
        return REFUSE(CL_INVALID_VALUE, "the region ends at byte %llu, the buffer has %llu bytes",
                      (unsigned long long)end, (unsigned long long)limit);
    return CL_SUCCESS;
}

static uint64_t rect_extent(const struct cmd_rect *rect, const size_t region[3])
{
    return (region[2] - 1) * rect->slice_pitch + (region[1] - 1) * rect->row_pitch + region[0];
}

struct rect_call {
    cl_mem buffer;
    struct rect_side device, host;
    const size_t *region;
    const void *pointer;
    bool write;
};

static cl_int transfer_rect(struct api_enqueue *enqueue, const struct rect_call *call)
{
    struct vk_buffer *device;
    struct cmd_rect on_device, on_host;
    struct place host;
    uint64_t base;
    TRY(memory_check_buffer(enqueue, call->buffer));
    TRY(check_side(&call->device, call->region, call->buffer->size, &on_device));
    TRY(check_side(&call->host, call->region, SIZE_MAX, &on_host));
    TRY(memory_check_host(call->buffer, call->write ? NO_HOST_WRITE : NO_HOST_READ, call->pointer));
    enqueue->only_reads = !call->write;
    TRY(api_enqueue_buffer(enqueue, call->buffer, &device, &base));
    TRY(place_find_host(enqueue, call->pointer, on_host.offset + rect_extent(&on_host, call->region), &host));
    on_device.offset += base;
    if (host.buffer)
        on_host.offset += host.offset;
    if (host.buffer && call->write)
        return cmd_copy_rect(&enqueue->request, host.buffer, &on_host, device, &on_device,
                             call->region);
    if (host.buffer)
        return cmd_copy_rect(&enqueue->request, device, &on_device, host.buffer, &on_host,
                             call->region);
    TRY(api_enqueue_pinned(enqueue, call->pointer));
    if (call->write)
        return cmd_write_rect(&enqueue->request, device, &on_device, call->pointer, &on_host,
                              call->region);
    return cmd_read_rect(&enqueue->request, device, &on_device, (void *)call->pointer, &on_host,
                         call->region);
}

static cl_int enqueue_rect(cl_command_queue queue, const struct rect_call *call, cl_bool blocking,
                           cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, queue, wait_count, waits, event));
    api_enqueue_block(&enqueue, blocking);
    cl_int error = transfer_rect(&enqueue, call);
    cl_command_type type = call->write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT;
    return api_enqueue_end(&enqueue, error, type, event);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                           cl_bool blocking_read, const size_t *buffer_origin,
                                           const size_t *host_origin, const size_t *region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch,
                                           void *ptr, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct rect_call call = {buffer,
                                   {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                                   {host_origin, host_row_pitch, host_slice_pitch},
                                   region,
                                   ptr,
                                   false};
    return enqueue_rect(command_queue, &call, blocking_read, num_events_in_wait_list,
                        event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                            cl_bool blocking_write, const size_t *buffer_origin,
                                            const size_t *host_origin, const size_t *region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch,
                                            const void *ptr, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    const struct rect_call call = {buffer,
                                   {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                                   {host_origin, host_row_pitch, host_slice_pitch},
                                   region,
                                   ptr,
                                   true};
    return enqueue_rect(command_queue, &call, blocking_write, num_events_in_wait_list,
                        event_wait_list, event);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// A pitch that is not used may have any value; one that is used fits in the buffer.
static int64_t used_pitch(uint64_t pitch, size_t steps)
{
    return steps > 1 ? (int64_t)pitch : INT64_MAX;
}

// Two boxes with the same shape and pitches, `delta` bytes apart, share a byte if delta = dx + dy *
// row + dz * slice with |dx|, |dy|, |dz| less than the region. Rows fit in slices, so each of dz
// and dy can only be the quotient or one more.
static bool boxes_overlap(int64_t delta, const struct cmd_rect *rect, const size_t region[3])
{
    int64_t slice = used_pitch(rect->slice_pitch, region[2]);
    int64_t row = used_pitch(rect->row_pitch, region[1]);
    for (int64_t z = floor_div(delta, slice), zend = z + 1; z <= zend; z++) {
        int64_t rest = delta - z * slice;
        if (llabs(z) >= (int64_t)region[2])
            continue;
        for (int64_t y = floor_div(rest, row), yend = y + 1; y <= yend; y++) {
            if (llabs(y) < (int64_t)region[1] && llabs(rest - y * row) < (int64_t)region[0])
                return true;
        }
    }
    return false;
}

static cl_int check_overlap(const struct _cl_mem *src, const struct cmd_rect *from,
                            const struct _cl_mem *dst, const struct cmd_rect *to,
                            const size_t region[3])
{
    if (src == dst && (from->row_pitch != to->row_pitch || from->slice_pitch != to->slice_pitch))
        return REFUSE(CL_INVALID_VALUE, "the source and the destination are the same buffer, with different pitches");
    if (root_of(src) != root_of(dst))
        return CL_SUCCESS;
    uint64_t a = src->storage_offset + from->offset, b = dst->storage_offset + to->offset;
    bool meet;
    if (from->row_pitch == to->row_pitch && from->slice_pitch == to->slice_pitch)
        meet = boxes_overlap((int64_t)(b - a), from, region);
    else // two sub-buffers with different shapes: any overlap of the extents counts
        meet = a < b + rect_extent(to, region) && b < a + rect_extent(from, region);
    return meet ? REFUSE(CL_MEM_COPY_OVERLAP,
                         "%zux%zux%zu bytes at %llu and %llu overlap (row pitch %llu, slice pitch %llu)",
                         region[0], region[1], region[2], (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)from->row_pitch,
                         (unsigned long long)from->slice_pitch)
                : CL_SUCCESS;
}

cl_int transfer_copy_rect(struct api_enqueue *enqueue, cl_mem src, const struct rect_side *src_side,
                          cl_mem dst, const struct rect_side *dst_side, const size_t *region)
{
    struct vk_buffer *from_buffer, *to_buffer;
    struct cmd_rect from, to;
    uint64_t from_base, to_base;
    TRY(memory_check_buffer(enqueue, src));
    TRY(memory_check_buffer(enqueue, dst));
    TRY(memory_check_written(dst));
    TRY(check_side(src_side, region, src->size, &from));
    TRY(check_side(dst_side, region, dst->size, &to));
    TRY(check_overlap(src, &from, dst, &to, region));
    enqueue->only_reads = true;
    TRY(api_enqueue_buffer(enqueue, src, &from_buffer, &from_base));
    TRY(api_enqueue_buffer(enqueue, dst, &to_buffer, &to_base));
    from.offset += from_base;
    to.offset += to_base;
    return cmd_copy_rect(&enqueue->request, from_buffer, &from, to_buffer, &to, region);
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                           cl_mem dst_buffer, const size_t *src_origin,
                                           const size_t *dst_origin, const size_t *region,
                                           size_t src_row_pitch, size_t src_slice_pitch,
                                           size_t dst_row_pitch, size_t dst_slice_pitch,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    const struct rect_side src = {src_origin, src_row_pitch, src_slice_pitch};
    const struct rect_side dst = {dst_origin, dst_row_pitch, dst_slice_pitch};
    cl_int error = transfer_copy_rect(&enqueue, src_buffer, &src, dst_buffer, &dst, region);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_COPY_BUFFER_RECT, event);
}

// ---- maps ---------------------------------------------------------------------------------------

cl_int memory_check_map(const struct _cl_mem *mem, cl_map_flags flags)
{
    if (flags & ~(MAP_WRITES | (cl_map_flags)CL_MAP_READ) ||
        (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return REFUSE(CL_INVALID_VALUE, "invalid map flags 0x%llx", (unsigned long long)flags);
    if ((flags & CL_MAP_READ && mem->flags & NO_HOST_READ) ||
        (flags & MAP_WRITES && mem->flags & NO_HOST_WRITE))
        return REFUSE(CL_INVALID_OPERATION, "the object's host access flags do not allow it");
    return CL_SUCCESS;
}

static cl_int map_buffer(struct api_enqueue *enqueue, cl_mem buffer, cl_map_flags flags,
                         size_t offset, size_t size, void **out)
{
    struct vk_buffer *device;
    uint64_t base;
    TRY(memory_check_buffer(enqueue, buffer));
    TRY(check_range(buffer, offset, size));
    if (!size)
        return REFUSE(CL_INVALID_VALUE, "the size to map is 0");
    TRY(memory_check_map(buffer, flags));
    enqueue->only_reads = !(flags & MAP_WRITES);
    TRY(api_enqueue_buffer(enqueue, buffer, &device, &base));
    struct memobj_mapping *entry;
    struct cmd_mapping *mapping;
    cl_int error = memobj_reserve_mapping(buffer, offset, size, flags & MAP_WRITES, &entry);
    if (error)
        return REFUSE(error, "%zu bytes at %zu are already mapped for writing", size, offset);
    void *shown = memobj_map_address(buffer, enqueue->queue->device_index);
    // An additional reference: a blocking map has released its hold when it returns.
    object_use(buffer);
    error = cmd_map(&enqueue->request, device, base + offset, size, shown, flags, &mapping, out);
    if (error)
        memobj_remove_mapping(entry);
    else
        memobj_set_mapping(entry, enqueue->queue->device_index, mapping, *out);
    object_drop(buffer);
    return error;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                     cl_bool blocking_map, cl_map_flags map_flags, size_t offset,
                                     size_t size, cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event,
                                     cl_int *errcode_ret)
{
    API_CALL;
    struct api_enqueue enqueue;
    void *pointer = NULL;
    cl_int error =
        api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list, event);
    if (!error) {
        api_enqueue_block(&enqueue, blocking_map);
        error = map_buffer(&enqueue, buffer, map_flags, offset, size, &pointer);
        error = api_enqueue_end(&enqueue, error, CL_COMMAND_MAP_BUFFER, event);
    }
    api_set_error(errcode_ret, error);
    return error ? NULL : pointer;
}

cl_int memory_unmap(struct api_enqueue *enqueue, struct memobj_mapping *entry)
{
    int device_index = enqueue->queue->device_index;
    cl_int error =
        entry->device_index == device_index ? CL_SUCCESS : memobj_move_mapping(entry, device_index);
    if (!error)
        error = cmd_unmap(&enqueue->request, entry->mapping);
    if (error)
        memobj_put_mapping(entry); // still mapped
    else
        memobj_end_mapping(entry);
    return error;
}

static cl_int unmap(struct api_enqueue *enqueue, cl_mem mem, void *pointer)
{
    TRY(memory_check(enqueue, mem));
    if (mem->type == CL_MEM_OBJECT_PIPE)
        return REFUSE(CL_INVALID_MEM_OBJECT, "a pipe");
    enqueue->only_reads = true; // the map has already recorded what it writes
    TRY(api_enqueue_memory(enqueue, mem));
    struct memobj_mapping *entry = memobj_take_mapping(mem, pointer);
    if (!entry)
        return REFUSE(CL_INVALID_VALUE, "%p is not mapped", pointer);
    return memory_unmap(enqueue, entry);
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                           void *mapped_ptr, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = unmap(&enqueue, memobj, mapped_ptr);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_UNMAP_MEM_OBJECT, event);
}

// ---- migration ----------------------------------------------------------------------------------

static cl_int migrate(struct api_enqueue *enqueue, cl_uint count, const cl_mem *list,
                      cl_mem_migration_flags flags)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!count || !list)
        return REFUSE(CL_INVALID_VALUE, "no memory objects are specified");
    if (flags & ~known)
        return REFUSE(CL_INVALID_VALUE, "invalid migration flags 0x%llx", (unsigned long long)flags);
    for (cl_uint i = 0; i < count; i++) {
        struct vk_buffer *device;
        uint64_t base;
        TRY(memory_check(enqueue, list[i]));
        enqueue->only_reads = true;
        TRY(api_enqueue_buffer(enqueue, list[i], &device, &base));
    }
    return cmd_marker(&enqueue->request);
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue,
                                              cl_uint num_mem_objects, const cl_mem *mem_objects,
                                              cl_mem_migration_flags flags,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
    API_CALL;
    struct api_enqueue enqueue;
    TRY(api_enqueue_begin(&enqueue, command_queue, num_events_in_wait_list, event_wait_list,
                          event));
    cl_int error = migrate(&enqueue, num_mem_objects, mem_objects, flags);
    return api_enqueue_end(&enqueue, error, CL_COMMAND_MIGRATE_MEM_OBJECTS, event);
}
