// SPDX-License-Identifier: Apache-2.0
// Address ranges -> memory objects: shared virtual memory by host pointers, buffers by their device
// addresses.
//
// Ranges are sorted by their start, in blocks of a few hundred, because programs have tens of
// thousands and create and free them all the time. The lock is the innermost of this layer. If
// ranges overlap, any of them is found.
#ifndef PUMICE_OBJECT_ADDRESS_MAP_H
#define PUMICE_OBJECT_ADDRESS_MAP_H

#include <stdatomic.h>

#include "object/cl.h"
#include "object/object.h"
#include "platform/platform.h"

struct address_block;

struct address_map {
    pthread_mutex_t lock;
    struct address_block **blocks; // never empty
    uint64_t *firsts;              // start of the first range in each block
    size_t block_count, capacity;
    atomic_size_t count; // of ranges
};

void address_map_init(struct address_map *map);
void address_map_finish(struct address_map *map);

// The map does not count the object: its owner removes it before freeing the object.
cl_int address_map_add(struct address_map *map, uint64_t begin, size_t size, struct _cl_mem *mem);
// Removes the range that begins here and returns its object; NULL: there is none. `mem`: only
// ranges of this object, or NULL.
struct _cl_mem *address_map_remove(struct address_map *map, uint64_t begin,
                                   const struct _cl_mem *mem);
// The object whose range contains the address, with a reference for the caller, and the offset of
// the address in it. NULL: none, or the object is being destroyed.
struct _cl_mem *address_map_find(struct address_map *map, uint64_t address, size_t *offset);

#endif
