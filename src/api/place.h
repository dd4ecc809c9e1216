// SPDX-License-Identifier: Apache-2.0
// Resolves a raw pointer in a command: to a buffer and an offset, or to host memory.
#ifndef PUMICE_API_PLACE_H
#define PUMICE_API_PLACE_H

#include "api/api.h"

struct place {
    struct vk_buffer *buffer; // NULL: host memory, including memory shared with the device
    uint64_t offset;
    struct _cl_mem *mem; // kept alive by the command; NULL: not an allocation of ours
    int other_device;    // the only device that can access it, if that is not the queue's; else -1
};

// Resolves [pointer, pointer + size); the command keeps the memory alive. CL_INVALID_VALUE for NULL
// and for ranges that exceed their allocation.
cl_int place_find(struct api_enqueue *enqueue, const void *pointer, size_t size,
                  struct place *place);
// The same for the host pointer of a transfer, which is only looked up in unified shared memory.
cl_int place_find_host(struct api_enqueue *enqueue, const void *pointer, size_t size,
                       struct place *place);

// Copies between any two pointers. CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP.
cl_int place_copy(struct api_enqueue *enqueue, void *dst, const void *src, size_t size);

// CL_INVALID_VALUE if the pattern is invalid, or the size is not a multiple of it.
cl_int place_check_pattern(const void *pointer, const void *pattern, size_t pattern_size, size_t size);

// `any`: host memory is allowed, too.
cl_int place_fill(struct api_enqueue *enqueue, void *pointer, const void *pattern,
                  size_t pattern_size, size_t size, bool any);

#endif
