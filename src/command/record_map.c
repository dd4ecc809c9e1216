// SPDX-License-Identifier: Apache-2.0
// Mapping: a pointer into the buffer's memory if that is host-visible, else a copy that is written
// back; for images always a copy.
//
// The copy is in the application's memory (CL_MEM_USE_HOST_PTR) or in a host-visible shadow buffer
// that the device reads and writes directly. Mapping and unmapping are composed of other commands.
#include <stdlib.h>
#include <string.h>

#include "command/image.h"
#include "command/internal.h"

struct cmd_mapping {
    struct vk_buffer *buffer;
    uint64_t offset, size;
    cl_map_flags flags;
    uint8_t *host;           // the application's memory at byte 0 of the buffer, or NULL
    struct vk_buffer shadow; // zeroed: none

    const struct cmd_surface *surface; // NULL: of a buffer, else its host memory is rect of `host`
    size_t origin[3], region[3];
    struct cmd_rect rect;
};

static const cl_map_flags write_flags = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

// Non-coherent memory is filled by a read, which invalidates it at the end.
static cl_int fill_shadow(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    struct cmd_request with = *request;
    struct vk_buffer *shadow = &mapping->shadow;
    if (vk_buffer_coherent(shadow))
        return cmd_copy(request, mapping->buffer, mapping->offset, shadow, 0, mapping->size);
    with.pinned = shadow;
    return cmd_read(&with, mapping->buffer, mapping->offset, shadow->host, mapping->size);
}

static cl_int map_shadow(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    VkResult result = cmd_buffer_create(request->queue->device, VK_MEMORY_STAGED, mapping->size,
                                        &mapping->shadow);
    if (result != VK_SUCCESS)
        return cmd_error(result);
    if (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION)
        return cmd_marker(request);
    return fill_shadow(request, mapping);
}

cl_int cmd_map(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
               uint64_t size, void *host_ptr, cl_map_flags flags, struct cmd_mapping **out,
               void **pointer)
{
    struct cmd_mapping *mapping = calloc(1, sizeof *mapping);
    cl_int result;
    if (!mapping)
        return CL_OUT_OF_HOST_MEMORY;
    *mapping = (struct cmd_mapping){
        .buffer = buffer, .offset = offset, .size = size, .flags = flags, .host = host_ptr};
    if (buffer->host && (!host_ptr || host_ptr == buffer->host)) {
        mapping->host = NULL;
        *pointer = (uint8_t *)buffer->host + offset;
        result = cmd_marker(request);
    } else if (host_ptr) {
        *pointer = mapping->host + offset;
        result = flags & CL_MAP_WRITE_INVALIDATE_REGION
                     ? cmd_marker(request)
                     : cmd_read(request, buffer, offset, *pointer, size);
    } else {
        result = map_shadow(request, mapping);
        *pointer = mapping->shadow.host;
    }
    if (result != CL_SUCCESS) {
        cmd_mapping_destroy(mapping);
        return result;
    }
    *out = mapping;
    return CL_SUCCESS;
}

static cl_int map_image(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    bool fresh = mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION;
    if (!mapping->host) {
        VkResult result = cmd_buffer_create(request->queue->device, VK_MEMORY_READBACK,
                                            mapping->size, &mapping->shadow);
        if (result != VK_SUCCESS)
            return cmd_error(result);
    }
    if (fresh)
        return cmd_marker(request);
    if (mapping->host)
        return cmd_image_read(request, mapping->surface, mapping->origin, mapping->region,
                              mapping->host, &mapping->rect);
    return cmd_image_to_buffer(request, mapping->surface, mapping->origin, mapping->region,
                               &mapping->shadow, 0);
}

static struct cmd_mapping *new_image_mapping(const struct cmd_surface *surface,
                                             const size_t origin[3], const size_t region[3],
                                             void *host, const size_t host_pitches[2],
                                             cl_map_flags flags)
{
    struct cmd_mapping *mapping = calloc(1, sizeof *mapping);
    if (!mapping)
        return NULL;
    mapping->flags = flags;
    mapping->surface = surface;
    mapping->host = host;
    memcpy(mapping->origin, origin, sizeof mapping->origin);
    memcpy(mapping->region, region, sizeof mapping->region);
    mapping->rect.row_pitch = host ? host_pitches[0] : region[0] * surface->texel;
    mapping->rect.slice_pitch = host ? host_pitches[1] : mapping->rect.row_pitch * region[1];
    if (host)
        mapping->rect.offset = origin[2] * host_pitches[1] + origin[1] * host_pitches[0] +
                               origin[0] * surface->texel;
    mapping->size = mapping->rect.slice_pitch * region[2];
    return mapping;
}

cl_int cmd_image_map(const struct cmd_request *request, const struct cmd_surface *surface,
                     const size_t origin[3], const size_t region[3], void *host,
                     const size_t host_pitches[2], cl_map_flags flags, struct cmd_mapping **out,
                     void **pointer, size_t pitches[2])
{
    if (!surface->image) {
        uint64_t first, span = cmd_surface_span(surface, origin, region, &first);
        pitches[0] = surface->row_pitch;
        pitches[1] = surface->slice_pitch;
        return cmd_map(request, surface->buffer, first, span, host, flags, out, pointer);
    }
    struct cmd_mapping *mapping =
        new_image_mapping(surface, origin, region, host, host_pitches, flags);
    cl_int result = mapping ? map_image(request, mapping) : CL_OUT_OF_HOST_MEMORY;
    if (result != CL_SUCCESS) {
        cmd_mapping_destroy(mapping);
        return result;
    }
    pitches[0] = mapping->rect.row_pitch;
    pitches[1] = mapping->rect.slice_pitch;
    *pointer = host ? mapping->host + mapping->rect.offset : mapping->shadow.host;
    *out = mapping;
    return CL_SUCCESS;
}

// Another device cannot access the shadow buffer: its contents are written from the host.
void cmd_mapping_move(struct cmd_mapping *mapping, struct vk_buffer *buffer,
                      const struct cmd_surface *surface)
{
    if (mapping->shadow.device)
        mapping->host = (uint8_t *)mapping->shadow.host - mapping->offset;
    if (mapping->surface)
        mapping->surface = surface;
    mapping->buffer = buffer;
}

void cmd_mapping_destroy(struct cmd_mapping *mapping)
{
    if (!mapping)
        return;
    vk_buffer_destroy(&mapping->shadow);
    free(mapping);
}

static void release_mapping(void *mapping)
{
    cmd_mapping_destroy(mapping);
}

static cl_int unmap_image(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    if (!(mapping->flags & write_flags))
        return cmd_marker(request);
    if (mapping->host)
        return cmd_image_write(request, mapping->surface, mapping->origin, mapping->region,
                               mapping->host, &mapping->rect);
    return cmd_image_from_buffer(request, mapping->surface, mapping->origin, mapping->region,
                                 &mapping->shadow, 0);
}

static cl_int unmap(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    if (mapping->surface)
        return unmap_image(request, mapping);
    if (mapping->flags & write_flags && mapping->host)
        return cmd_write(request, mapping->buffer, mapping->offset, mapping->host + mapping->offset,
                         mapping->size);
    if (mapping->flags & write_flags && mapping->shadow.device &&
        vk_buffer_flush(request->queue->device, &mapping->shadow, 0, mapping->size) < 0)
        return CL_OUT_OF_RESOURCES;
    if (mapping->flags & write_flags && mapping->shadow.device)
        return cmd_copy(request, &mapping->shadow, 0, mapping->buffer, mapping->offset,
                        mapping->size);
    return cmd_marker(request);
}

// The mapping lives until the command is complete: it is an additional hold.
cl_int cmd_unmap(const struct cmd_request *request, struct cmd_mapping *mapping)
{
    struct cmd_request with = *request;
    uint32_t count = request->hold_count + 1;
    struct cmd_hold *holds = malloc(count * sizeof *holds);
    if (!holds)
        return CL_OUT_OF_HOST_MEMORY;
    holds[0] = (struct cmd_hold){mapping, release_mapping};
    if (request->hold_count)
        memcpy(holds + 1, request->holds, request->hold_count * sizeof *holds);
    with.holds = holds;
    with.hold_count = count;
    cl_int result = unmap(&with, mapping);
    free(holds);
    return result;
}
