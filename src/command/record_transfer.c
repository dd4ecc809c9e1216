// SPDX-License-Identifier: Apache-2.0
// Reads and writes between host memory and buffers, linear or rectangular, and copies between
// buffers.
//
// Everything is a region of rows: bytes x rows x slices, with an offset and pitches on both sides;
// regions that are contiguous on both sides collapse to one row. Device commands use a packed
// staging buffer, or access host memory directly if the device can. If the buffer is mapped and no
// earlier command interferes, the host copies the bytes itself. Host memory is read during the call
// if no unfinished command may still write it, else when the command runs.
#include <stdlib.h>
#include <string.h>

#include "command/own_kernels.h"
#include "util/options.h"
#include "util/parallel.h"

enum { REGIONS = 64, WINDOW = 4, LATELY = 8, ROWS = 64 };
enum { // bytes
    SHORT = 4096,
    HOST_SAVES = 64 << 10, // from here on, a copy by the host is faster than a staged one of a CPU device
    LONG = 1 << 20,
    BURST = 256 << 10,      // a piece of a copy beside kernels
    BURSTS_MOST = 4 << 20,  // longer copies are not divided
    SLOW = 4 << 20,         // copying so much takes the host some 100 us
};
#define PIECE CMD_PIECE
// Transfers of this size use the application's own pages: a staging buffer would pin the same
// amount again.
#define IMPORT (UINT64_C(256) << 20)

struct transfer {
    struct command base;
    VkBuffer handle;        // of the device side (a copy's destination)
    struct cmd_rect device; // within the handle
    uint8_t *mapped;        // the device side's memory at device.offset 0; or NULL
    VkBuffer other_handle;  // a copy's source
    struct cmd_rect other;  // the other side: host memory, or a copy's source within its handle
    uint8_t *host;
    uint64_t region[3];
    bool windowed;    // `mapped` is a window (memory.h)
    bool imported;    // the staging buffer is the host memory itself
    bool is_short;    // a write with its bytes in `words`
    bool staged;      // a write whose staging buffer, or `words`, is already filled
    uint32_t words[]; // of a short write: recorded into the command buffer itself
};

// ---- regions ------------------------------------------------------------------------------------

static void collapse(uint64_t region[3], struct cmd_rect *a, struct cmd_rect *b)
{
    if (region[1] > 1 && a->row_pitch == region[0] && b->row_pitch == region[0] &&
        (region[2] == 1 ||
         (a->slice_pitch == region[0] * region[1] && b->slice_pitch == region[0] * region[1]))) {
        region[0] *= region[1] * region[2];
        region[1] = region[2] = 1;
    }
}

static uint64_t extent(const struct cmd_rect *rect, const uint64_t region[3])
{
    return (region[2] - 1) * rect->slice_pitch + (region[1] - 1) * rect->row_pitch + region[0];
}

static struct cmd_rect packed_rect(uint64_t offset, const uint64_t region[3])
{
    return (struct cmd_rect){offset, region[0], region[0] * region[1]};
}

static uint64_t packed_size(const uint64_t region[3])
{
    return region[0] * region[1] * region[2];
}

void cmd_copy_rows(uint8_t *to, const struct cmd_rect *t, const uint8_t *from,
                   const struct cmd_rect *f, const uint64_t region[3])
{
    for (uint64_t z = 0; z < region[2]; z++)
        for (uint64_t y = 0; y < region[1]; y++)
            parallel_copy(to + t->offset + z * t->slice_pitch + y * t->row_pitch,
                          from + f->offset + z * f->slice_pitch + y * f->row_pitch, region[0]);
}

// In one piece, a copy of 1 MiB makes a kernel that runs meanwhile 35 us longer (H200), in pieces 10.
// Pieces take a quarter more time, so long copies are not divided.
static bool in_bursts(const struct cmd_batch *batch, const uint64_t region[3])
{
    return batch->beside && region[1] * region[2] == 1 && region[0] <= BURSTS_MOST;
}

static void record_bursts(struct cmd_batch *batch, struct vk_device *device, VkBuffer to, uint64_t to_offset,
                          VkBuffer from, uint64_t from_offset, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += BURST) {
        VkBufferCopy piece = {from_offset + at, to_offset + at, min_u64(BURST, size - at)};
        device->fn.CmdCopyBuffer(batch->commands, from, to, 1, &piece);
    }
}

static void record_regions(struct cmd_batch *batch, struct vk_device *device, VkBuffer to,
                           const struct cmd_rect *t, VkBuffer from, const struct cmd_rect *f,
                           const uint64_t region[3])
{
    VkBufferCopy list[REGIONS];
    uint32_t count = 0;
    if (in_bursts(batch, region)) {
        record_bursts(batch, device, to, t->offset, from, f->offset, region[0]);
        return;
    }
    for (uint64_t z = 0; z < region[2]; z++)
        for (uint64_t y = 0; y < region[1]; y++) {
            list[count++] = (VkBufferCopy){
                .srcOffset = f->offset + z * f->slice_pitch + y * f->row_pitch,
                .dstOffset = t->offset + z * t->slice_pitch + y * t->row_pitch,
                .size = region[0],
            };
            if (count == REGIONS) {
                device->fn.CmdCopyBuffer(batch->commands, from, to, count, list);
                count = 0;
            }
        }
    if (count)
        device->fn.CmdCopyBuffer(batch->commands, from, to, count, list);
}

// ---- running ------------------------------------------------------------------------------------

// The region in the staging buffer's handle.
static struct cmd_rect staging_rect(const struct transfer *t)
{
    const struct vk_buffer *staging = &t->base.buffers[0];
    struct cmd_rect rect = t->other;
    if (!t->imported)
        return packed_rect(staging->offset, t->region);
    rect.offset = staging->offset; // the import begins at the region's first byte
    return rect;
}

// `create` may wait for memory when the command is enqueued, but not when it is recorded.
static VkResult stage(struct transfer *t, cmd_buffer_fn create)
{
    if (t->is_short) {
        memcpy(t->words, t->host + t->other.offset, t->region[0]);
        t->staged = true;
        return VK_SUCCESS;
    }
    struct vk_buffer *staging = &t->base.buffers[0];
    struct cmd_rect packed = packed_rect(0, t->region);
    VkResult result = VK_SUCCESS;
    if (!staging->device)
        result = create(t->base.queue->device, VK_MEMORY_UPLOAD, packed_size(t->region), staging);
    if (result != VK_SUCCESS)
        return result;
    cmd_copy_rows(staging->host, &packed, t->host, &t->other, t->region);
    t->staged = true;
    return VK_SUCCESS;
}

VkResult record_write(struct command *command, struct cmd_batch *batch)
{
    struct transfer *t = (struct transfer *)command;
    VkResult result = t->staged ? VK_SUCCESS : stage(t, vk_buffer_create);
    struct vk_device *device = command->queue->device;
    if (result != VK_SUCCESS)
        return result;
    if (t->is_short) {
        device->fn.CmdUpdateBuffer(batch->commands, t->handle, t->device.offset, t->region[0],
                                   t->words);
        return VK_SUCCESS;
    }
    struct cmd_rect from = staging_rect(t);
    record_regions(batch, device, t->handle, &t->device, command->buffers[0].handle, &from,
                   t->region);
    return VK_SUCCESS;
}

VkResult record_read(struct command *command, struct cmd_batch *batch)
{
    struct transfer *t = (struct transfer *)command;
    struct cmd_rect to = staging_rect(t);
    record_regions(batch, command->queue->device, command->buffers[0].handle, &to, t->handle,
                   &t->device, t->region);
    return VK_SUCCESS;
}

void after_read(struct command *command)
{
    struct transfer *t = (struct transfer *)command;
    struct vk_buffer *staging = &command->buffers[0];
    struct cmd_rect packed = packed_rect(0, t->region);
    if (!t->imported || !staging->device) // imported for this command, or named by the request
        vk_buffer_invalidate(command->queue->device, staging, 0, staging->size);
    if (!t->imported)
        cmd_copy_rows(t->host, &t->other, command->buffers[0].host, &packed, t->region);
}

void run_host_write(struct command *command)
{
    struct transfer *t = (struct transfer *)command;
    cmd_copy_rows(t->mapped, &t->device, t->host, &t->other, t->region);
    if (t->windowed)
        vk_window_flush();
}

void run_host_read(struct command *command)
{
    struct transfer *t = (struct transfer *)command;
    if (t->windowed)
        vk_window_read(t->host + t->other.offset, t->mapped + t->device.offset, t->region[0]);
    else
        cmd_copy_rows(t->host, &t->other, t->mapped, &t->device, t->region);
}

VkResult record_copy(struct command *command, struct cmd_batch *batch)
{
    struct transfer *t = (struct transfer *)command;
    record_regions(batch, command->queue->device, t->handle, &t->device, t->other_handle, &t->other,
                   t->region);
    return VK_SUCCESS;
}

// ---- making -------------------------------------------------------------------------------------

static struct transfer *transfer_new(const struct cmd_request *request, enum cmd_id id,
                                     struct vk_buffer *buffer, const struct cmd_rect *device,
                                     const struct cmd_rect *other, const uint64_t region[3])
{
    bool is_short = id == CMD_WRITE && region[1] * region[2] == 1 && region[0] <= SHORT &&
                    region[0] % 4 == 0 && (buffer->offset + device->offset) % 4 == 0;
    size_t size = sizeof(struct transfer) + (is_short ? region[0] : 0);
    struct transfer *t = (struct transfer *)cmd_new(request, id, size);
    if (!t)
        return NULL;
    t->is_short = is_short;
    bool writes = id != CMD_READ && id != CMD_HOST_READ;
    t->device = *device;
    t->other = *other;
    memcpy(t->region, region, sizeof t->region);
    collapse(t->region, &t->device, &t->other);
    cmd_span_bytes(&t->base, packed_size(region));
    cmd_access_add(&t->base, buffer, device->offset, extent(device, region), writes);
    t->base.device_only = writes && !cmd_writes_for_host(request->queue, buffer);
    t->base.long_copy = (id == CMD_READ || id == CMD_WRITE) && packed_size(region) >= LONG && !vk_buffer_is_foreign(buffer);
    t->handle = buffer->handle;
    t->device.offset += buffer->offset;
    // `mapped` is relative to the handle's start, like device.offset.
    uint8_t *mapped = buffer->host ? buffer->host : buffer->window;
    t->windowed = buffer->window != NULL;
    t->mapped = mapped ? mapped - buffer->offset : NULL;
    return t;
}

static void set_host(struct transfer *t, void *data, bool writes)
{
    t->host = data;
    t->base.host_writes = writes;
    t->base.host_begin = (uintptr_t)data + t->other.offset;
    t->base.host_end = t->base.host_begin + extent(&t->other, t->region);
}

static bool nothing_before(const struct cmd_request *request)
{
    if (request->wait_count)
        return false;
    cmd_lock();
    bool idle = cmd_queue_idle(request->queue);
    cmd_unlock();
    return idle;
}

// Whether the host should use the buffer's window instead of the device. Rows are copied one by
// one, and reads are sequential, so only few and short ones are fast. While the device is busy,
// long writes can be staged meanwhile; from memory that the device can access, the device is
// faster.
static bool through_window(const struct cmd_request *request, const struct vk_buffer *buffer, const uint64_t region[3],
                           bool write, bool idle)
{
    uint64_t most = idle && !request->pinned ? VK_WINDOW_WRITE_IDLE : VK_WINDOW_WRITE;
    if (!buffer->window)
        return false;
    if (write)
        return region[1] * region[2] <= ROWS && packed_size(region) <= most;
    return region[1] * region[2] == 1 && region[0] <= VK_WINDOW_READ && vk_window_readable();
}

// Whether the host should move the bytes: the memory is mapped, and the call blocks or no earlier
// command is pending. A CPU device would only copy long transfers a second time, from or to a staging
// buffer.
static bool by_host(const struct cmd_request *request, const struct vk_buffer *buffer, const uint64_t region[3],
                    bool window, bool idle)
{
    bool cpu = request->queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (!buffer->host && !(window && !atomic_load(&buffer->use.unseen)))
        return false;
    return request->blocking || idle || (cpu && buffer->host && packed_size(region) >= HOST_SAVES);
}

static uint64_t import_from(void)
{
    const char *wish = option_get(OPTION_IMPORT);
    uint64_t from = wish ? strtoull(wish, NULL, 0) : IMPORT;
    return from ? from : UINT64_MAX;
}

// If the host memory is in a buffer that the request names, uses that buffer, which the command
// must not free.
static bool use_pinned(const struct cmd_request *request, struct transfer *t)
{
    const struct vk_buffer *pinned = request->pinned;
    uint64_t size = extent(&t->other, t->region);
    uint64_t at = t->base.host_begin - (pinned ? (uintptr_t)pinned->host : 0);
    if (!pinned || t->is_short || at > pinned->size || size > pinned->size - at)
        return false;
    cmd_access_add(&t->base, pinned, at, size, t->base.host_writes);
    t->base.buffers[0] =
        (struct vk_buffer){.handle = pinned->handle, .offset = pinned->offset + at, .size = size,
                           .chunk = pinned->chunk};
    return t->imported = true;
}

static bool try_import(struct transfer *t)
{
    struct command *command = &t->base;
    uint64_t size = extent(&t->other, t->region);
    t->imported = !t->is_short && packed_size(t->region) >= import_from() &&
                  vk_buffer_import(command->queue->device, t->host + t->other.offset, size,
                                   &command->buffers[0]) == VK_SUCCESS;
    return t->imported;
}

static cl_int write_device(const struct cmd_request *request, struct transfer *t)
{
    if (use_pinned(request, t) || (!request->blocking && try_import(t)))
        t->staged = true;
    else if (cmd_may_read_host(request, &t->base)) {
        VkResult result = stage(t, cmd_buffer_create);
        if (result != VK_SUCCESS) {
            cmd_drop(&t->base);
            return cmd_error(result);
        }
        t->base.host_end = 0; // the host memory has been read
    }
    return cmd_enqueue(request, &t->base);
}

static cl_int read_device(const struct cmd_request *request, struct transfer *t)
{
    VkResult result = VK_SUCCESS;
    if (!use_pinned(request, t) && (request->blocking || !try_import(t)))
        result = cmd_buffer_create(request->queue->device, VK_MEMORY_STAGED,
                                   packed_size(t->region), &t->base.buffers[0]);
    if (result != VK_SUCCESS) {
        cmd_drop(&t->base);
        return cmd_error(result);
    }
    return cmd_enqueue(request, &t->base);
}

// Whether the transfer takes the host long before it is enqueued: memory for it comes from the driver, or much is copied.
static bool keeps_host_busy(const struct cmd_request *request, bool write, uint64_t size)
{
    if (request->pinned || request->queue->recording)
        return false;
    return (write && size >= SLOW) || !vk_buffer_is_ready(request->queue->device, write ? VK_MEMORY_UPLOAD : VK_MEMORY_STAGED, size);
}

static cl_int transfer_host(const struct cmd_request *request, bool write, struct vk_buffer *buffer,
                            const struct cmd_rect *device, void *data, const struct cmd_rect *host,
                            const uint64_t region[3], struct command *profiled_from)
{
    bool idle = (buffer->host || buffer->window) && nothing_before(request);
    bool window = through_window(request, buffer, region, write, idle), by = by_host(request, buffer, region, window, idle);
    enum cmd_id id = write ? (by ? CMD_HOST_WRITE : CMD_WRITE) : (by ? CMD_HOST_READ : CMD_READ);
    if (window)
        atomic_store(&buffer->use.recent_uses, LATELY);
    struct transfer *t = transfer_new(request, id, buffer, device, host, region);
    if (!t)
        return CL_OUT_OF_HOST_MEMORY;
    set_host(t, data, !write);
    if (profiled_from)
        t->base.profiled_from = cmd_retain(profiled_from);
    if (by)
        return cmd_enqueue(request, &t->base);
    if (keeps_host_busy(request, write, packed_size(region)))
        cmd_flush_idle(request->queue);
    cl_int result = write ? write_device(request, t) : read_device(request, t);
    if (window && result == CL_SUCCESS) // a barrier to the host follows, which covers all earlier
                                        // writes of the device
        atomic_store(&buffer->use.unseen, false);
    return result;
}

// ---- long blocking transfers --------------------------------------------------------------------

// Waits until the caller may use the data again. An empty slot is ignored.
static cl_int wait_piece(struct command **slot)
{
    cl_int status = CL_COMPLETE;
    if (*slot) {
        cmd_lock();
        bool cancelled = !cmd_wait_own(*slot);
        cmd_unlock();
        status = cancelled ? CL_OUT_OF_RESOURCES : atomic_load(&(*slot)->status);
    }
    cmd_release(*slot);
    *slot = NULL;
    return status < 0 ? status : CL_SUCCESS;
}

cl_int cmd_in_pieces(const struct cmd_request *request, uint64_t count, cmd_piece piece,
                     const void *data)
{
    struct command *window[WINDOW] = {NULL}, *first = NULL, *made = NULL;
    struct cmd_request one = *request;
    cl_int result = CL_SUCCESS;
    one.holds = NULL;
    one.hold_count = 0;
    one.blocking = false;
    one.out = &made;
    for (uint64_t n = 0; n < count && result == CL_SUCCESS; n++) {
        struct command **slot = &window[n % WINDOW];
        bool last = n + 1 == count;
        result = wait_piece(slot);
        if (result == CL_SUCCESS)
            result = piece(last ? request : &one, n, first, data);
        if (result != CL_SUCCESS || last)
            break;
        *slot = made;
        if (!first)
            first = cmd_retain(made);
        result = cmd_flush(request->queue);
    }
    for (int i = 0; i < WINDOW; i++) {
        cl_int status = wait_piece(&window[i]);
        result = result ? result : status;
    }
    cmd_release(first);
    return result;
}

struct linear {
    struct vk_buffer *buffer;
    uint64_t offset, size;
    uint8_t *data;
    bool write;
};

static cl_int linear_piece(const struct cmd_request *request, uint64_t n, struct command *first,
                           const void *data)
{
    const struct linear *l = data;
    uint64_t at = n * PIECE, left = l->size - at;
    const uint64_t region[3] = {left < PIECE ? left : PIECE, 1, 1};
    struct cmd_rect device = packed_rect(l->offset + at, region), host = packed_rect(at, region);
    return transfer_host(request, l->write, l->buffer, &device, l->data, &host, region, first);
}

static cl_int transfer_linear(const struct cmd_request *request, bool write,
                              struct vk_buffer *buffer, uint64_t offset, void *data, uint64_t size)
{
    const uint64_t region[3] = {size, 1, 1};
    struct cmd_rect device = packed_rect(offset, region), host = packed_rect(0, region);
    const struct linear whole = {buffer, offset, size, data, write};
    if (request->blocking && size > 2 * PIECE && !buffer->host && !request->pinned)
        return cmd_in_pieces(request, (size + PIECE - 1) / PIECE, linear_piece, &whole);
    return transfer_host(request, write, buffer, &device, data, &host, region, NULL);
}

// ---- what the API calls -------------------------------------------------------------------------

cl_int cmd_write(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                 const void *data, uint64_t size)
{
    return transfer_linear(request, true, buffer, offset, (void *)(uintptr_t)data, size);
}

cl_int cmd_read(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                void *data, uint64_t size)
{
    return transfer_linear(request, false, buffer, offset, data, size);
}

cl_int cmd_write_rect(const struct cmd_request *request, struct vk_buffer *buffer,
                      const struct cmd_rect *device, const void *data, const struct cmd_rect *host,
                      const size_t region[3])
{
    const uint64_t wide[3] = {region[0], region[1], region[2]};
    return transfer_host(request, true, buffer, device, (void *)(uintptr_t)data, host, wide, NULL);
}

cl_int cmd_read_rect(const struct cmd_request *request, struct vk_buffer *buffer,
                     const struct cmd_rect *device, void *data, const struct cmd_rect *host,
                     const size_t region[3])
{
    const uint64_t wide[3] = {region[0], region[1], region[2]};
    return transfer_host(request, false, buffer, device, data, host, wide, NULL);
}

cl_int cmd_copy_rect(const struct cmd_request *request, struct vk_buffer *src,
                     const struct cmd_rect *from, struct vk_buffer *dst, const struct cmd_rect *to,
                     const size_t region[3])
{
    const uint64_t wide[3] = {region[0], region[1], region[2]};
    struct transfer *t = transfer_new(request, CMD_COPY, dst, to, from, wide);
    if (!t)
        return CL_OUT_OF_HOST_MEMORY;
    cmd_access_add(&t->base, src, from->offset, extent(from, wide), false);
    t->other_handle = src->handle;
    t->other.offset += src->offset;
    return cmd_enqueue(request, &t->base);
}

cl_int cmd_copy(const struct cmd_request *request, struct vk_buffer *src, uint64_t src_offset,
                struct vk_buffer *dst, uint64_t dst_offset, uint64_t size)
{
    cl_int result;
    if (cmd_own_copy(request, src, src_offset, dst, dst_offset, size, &result))
        return result;
    const size_t region[3] = {size, 1, 1};
    const struct cmd_rect from = {src_offset, size, size}, to = {dst_offset, size, size};
    return cmd_copy_rect(request, src, &from, dst, &to, region);
}
