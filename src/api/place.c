// SPDX-License-Identifier: Apache-2.0
// Copies and fills with raw pointers: shared virtual memory, unified shared memory, host memory.
//
// Copies between two buffers of the queue's device are done by the device, between a buffer and
// host memory by a normal transfer, between host memory by the host. Memory that only another
// device can access is copied through the host, piece by piece.
#include "api/place.h"

#include <stdlib.h>
#include <string.h>

#include "object/svm.h"
#include "object/usm.h"

// ---- lookup -------------------------------------------------------------------------------------

static cl_int find_unified(struct api_enqueue *enqueue, struct place *place)
{
    struct _cl_mem *mem = place->mem;
    TRY(api_enqueue_hold(enqueue, mem));
    place->buffer = usm_buffer(mem, enqueue->queue->device_index);
    if (!place->buffer && !usm_seen_by_host(mem))
        place->other_device = mem->home;
    return CL_SUCCESS;
}

// A pointer that does not belong to the context is treated as host memory.
static cl_int check_host(const void *pointer)
{
    if (usm_hidden_from_host(pointer))
        return REFUSE(CL_INVALID_VALUE, "%p is device memory of another context", pointer);
    return CL_SUCCESS;
}

cl_int place_find(struct api_enqueue *enqueue, const void *pointer, size_t size,
                  struct place *place)
{
    size_t offset;
    uint64_t base;
    *place = (struct place){.other_device = -1};
    if (!pointer)
        return REFUSE(CL_INVALID_VALUE, "NULL");
    struct _cl_mem *mem = svm_find(enqueue->queue->context, pointer, &offset);
    if (!mem)
        return check_host(pointer);
    cl_int error = CL_SUCCESS;
    place->mem = mem;
    place->offset = offset;
    if (size > mem->size - offset)
        error = REFUSE(CL_INVALID_VALUE, "%zu bytes at %p exceed the allocation", size, pointer);
    else if (mem->usm)
        error = find_unified(enqueue, place);
    else
        error = api_enqueue_buffer(enqueue, mem, &place->buffer, &base);
    object_drop(mem);
    return error;
}

// Usually there is none, so this must be fast.
cl_int place_find_host(struct api_enqueue *enqueue, const void *pointer, size_t size,
                       struct place *place)
{
    size_t offset;
    *place = (struct place){.other_device = -1};
    struct _cl_mem *mem = svm_find(enqueue->queue->context, pointer, &offset);
    if (!mem || !mem->usm) {
        object_drop(mem);
        return mem ? CL_SUCCESS : check_host(pointer);
    }
    place->mem = mem;
    place->offset = offset;
    cl_int error = find_unified(enqueue, place);
    if (!error && (size > mem->size - offset || place->other_device >= 0))
        error = REFUSE(CL_INVALID_VALUE, "%zu bytes at %p are not accessible from the device", size,
                       pointer);
    object_drop(mem);
    return error;
}

// ---- memory of another device -------------------------------------------------------------------

// One side of a copy: a buffer of some device, or host memory.
struct end {
    struct vk_device *vk;
    struct vk_buffer *buffer; // NULL: `host`
    uint64_t offset;
    uint8_t *host;
};

struct host_copy {
    struct end to, from;
    size_t size;
};

static struct end end_of(const struct api_enqueue *enqueue, const struct place *place,
                         const void *pointer)
{
    const struct _cl_context *context = enqueue->queue->context;
    int device = place->other_device >= 0 ? place->other_device : enqueue->queue->device_index;
    struct vk_buffer *buffer =
        place->other_device >= 0 ? usm_buffer(place->mem, device) : place->buffer;
    return (struct end){context->devices[device].vk, buffer, place->offset,
                        (uint8_t *)(uintptr_t)pointer};
}

static cl_int load(const struct end *end, size_t at, uint8_t *piece, size_t size)
{
    if (end->buffer)
        return cmd_download(end->vk, end->buffer, end->offset + at, piece, size);
    memcpy(piece, end->host + at, size);
    return CL_SUCCESS;
}

static cl_int unload(const struct end *end, size_t at, const uint8_t *piece, size_t size)
{
    if (end->buffer)
        return cmd_upload(end->vk, end->buffer, end->offset + at, piece, size);
    memcpy(end->host + at, piece, size);
    return CL_SUCCESS;
}

static void run_host_copy(void *data)
{
    enum { PIECE = 16 << 20 };
    const struct host_copy *host_copy = data;
    uint8_t *piece = malloc(host_copy->size < PIECE ? host_copy->size : PIECE);
    cl_int error = piece ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; at < host_copy->size && !error; at += PIECE) {
        size_t size = host_copy->size - at < PIECE ? host_copy->size - at : PIECE;
        error = load(&host_copy->from, at, piece, size);
        if (!error)
            error = unload(&host_copy->to, at, piece, size);
    }
    free(piece);
    if (error)
        REFUSE(error, "copying %zu bytes from one device to another failed", host_copy->size);
}

static cl_int copy_through_host(struct api_enqueue *enqueue, const struct place *to, void *dst,
                                const struct place *from, const void *src, size_t size)
{
    struct host_copy *host_copy = malloc(sizeof *host_copy);
    if (!host_copy)
        return CL_OUT_OF_HOST_MEMORY;
    *host_copy = (struct host_copy){end_of(enqueue, to, dst), end_of(enqueue, from, src), size};
    TRY(api_enqueue_keep(enqueue, host_copy, free));
    return cmd_native(&enqueue->request, run_host_copy, host_copy);
}

// ---- copies and fills ---------------------------------------------------------------------------

// A recorded command is executed by the device, so host memory is imported as a buffer.
static void release_pages(void *data)
{
    vk_buffer_destroy(data);
    free(data);
}

static cl_int import_pages(struct api_enqueue *enqueue, struct place *place, const void *pointer, size_t size)
{
    if (place->buffer || !enqueue->recorded)
        return CL_SUCCESS;
    struct vk_device *vk = enqueue->queue->context->devices[enqueue->queue->device_index].vk;
    struct vk_buffer *pages = calloc(1, sizeof *pages);
    if (!pages)
        return CL_OUT_OF_HOST_MEMORY;
    if (vk_buffer_import(vk, (void *)(uintptr_t)pointer, size, pages) != VK_SUCCESS) {
        free(pages);
        return REFUSE(CL_OUT_OF_RESOURCES, "the device cannot access %zu bytes of host memory at %p", size, pointer);
    }
    place->buffer = pages;
    place->offset = 0;
    enqueue->request.shared_host = true;
    return api_enqueue_keep(enqueue, pages, release_pages);
}

static cl_int copy_places(struct api_enqueue *enqueue, struct place *to, void *dst, struct place *from,
                          const void *src, size_t size)
{
    const struct cmd_request *request = &enqueue->request;
    TRY(import_pages(enqueue, to, dst, size));
    TRY(import_pages(enqueue, from, src, size));
    if (to->other_device >= 0 || from->other_device >= 0)
        return copy_through_host(enqueue, to, dst, from, src, size);
    if (to->buffer && from->buffer)
        return cmd_copy(request, from->buffer, from->offset, to->buffer, to->offset, size);
    if (to->buffer) {
        TRY(api_enqueue_pinned(enqueue, src));
        return cmd_write(request, to->buffer, to->offset, src, size);
    }
    if (from->buffer) {
        TRY(api_enqueue_pinned(enqueue, dst));
        return cmd_read(request, from->buffer, from->offset, dst, size);
    }
    return cmd_host_copy(request, dst, src, size);
}

cl_int place_copy(struct api_enqueue *enqueue, void *dst, const void *src, size_t size)
{
    struct place to, from;
    TRY(place_find(enqueue, dst, size, &to));
    TRY(place_find(enqueue, src, size, &from));
    uintptr_t a = (uintptr_t)dst, b = (uintptr_t)src;
    if (size && (a > b ? a - b : b - a) < size)
        return REFUSE(CL_MEM_COPY_OVERLAP, "the source and the destination overlap");
    if (!size)
        return cmd_nothing(&enqueue->request);
    return copy_places(enqueue, &to, dst, &from, src, size);
}

cl_int place_check_pattern(const void *pointer, const void *pattern, size_t pattern_size, size_t size)
{
    if (!pattern || !pattern_size || pattern_size > 128 || pattern_size & (pattern_size - 1))
        return REFUSE(CL_INVALID_VALUE, "invalid pattern size of %zu bytes", pattern_size);
    if (size % pattern_size || (uintptr_t)pointer % pattern_size)
        return REFUSE(CL_INVALID_VALUE, "%zu bytes at %p are not a multiple of the pattern size %zu", size,
                      pointer, pattern_size);
    return CL_SUCCESS;
}

cl_int place_fill(struct api_enqueue *enqueue, void *pointer, const void *pattern,
                  size_t pattern_size, size_t size, bool any)
{
    struct place place;
    TRY(place_find(enqueue, pointer, size, &place));
    TRY(place_check_pattern(pointer, pattern, pattern_size, size));
    if (place.other_device >= 0 || (!place.buffer && !any))
        return REFUSE(CL_INVALID_VALUE, "%p is not accessible from the device", pointer);
    if (!size)
        return cmd_nothing(&enqueue->request);
    TRY(import_pages(enqueue, &place, pointer, size));
    if (place.buffer)
        return cmd_fill(&enqueue->request, place.buffer, place.offset, size, pattern, pattern_size);
    return cmd_host_fill(&enqueue->request, pointer, size, pattern, pattern_size);
}
