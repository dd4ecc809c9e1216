// SPDX-License-Identifier: Apache-2.0
// What a plain pointer in a command points at: a buffer and an offset, or the host's own memory.
#ifndef PUMICE_API_PLACE_H
#define PUMICE_API_PLACE_H

#include "api/api.h"

struct place {
    struct vk_buffer *buffer; // NULL: the host's own memory, or such as the host sees too
    uint64_t offset;
    struct _cl_mem *mem; // held by the command; NULL: no allocation of ours
    int away;            // the only device that sees it, when that is not the queue's; or -1
};

// Where [pointer, pointer + size) lies; the command holds it. CL_INVALID_VALUE for NULL and for
// what ends after its allocation.
cl_int place_find(struct api_enqueue *enqueue, const void *pointer, size_t size,
                  struct place *place);
// The same for the host memory of a transfer, which is looked for among unified shared memory
// alone.
cl_int place_find_host(struct api_enqueue *enqueue, const void *pointer, size_t size,
                       struct place *place);

// Copies between any two. CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP.
cl_int place_copy(struct api_enqueue *enqueue, void *dst, const void *src, size_t size);

// CL_INVALID_VALUE for a pattern that is none, or that the bytes are not made of.
cl_int place_check_pattern(const void *pointer, const void *pattern, size_t pattern_size, size_t size);

// pattern_max: 128, or what the device's types end at. `any`: also the host's own memory.
cl_int place_fill(struct api_enqueue *enqueue, void *pointer, const void *pattern,
                  size_t pattern_size, size_t size, bool any);

#endif
