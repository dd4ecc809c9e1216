// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses -> memory objects: shared memory by the host's pointers, buffers by the
// addresses that a device knows them at.
//
// Sorted by their begins, in blocks of a few hundred: programs have tens of thousands, and make and
// forget them all the time. The lock is the innermost of this layer. Of ranges that overlap any is
// found.
#ifndef PUMICE_OBJECT_ADDRESS_MAP_H
#define PUMICE_OBJECT_ADDRESS_MAP_H

#include <stdatomic.h>

#include "object/cl.h"
#include "object/object.h"
#include "platform/platform.h"

struct address_block;

struct address_map {
    pthread_mutex_t lock;
    struct address_block **blocks; // none is empty
    uint64_t *firsts;              // where each one's first range begins
    size_t block_count, capacity;
    atomic_size_t count; // of ranges
};

void address_map_init(struct address_map *map);
void address_map_finish(struct address_map *map);

// The map takes no count of the object: who adds it removes it before the object goes.
cl_int address_map_add(struct address_map *map, uint64_t begin, size_t size, struct _cl_mem *mem);
// The object of the range that begins here, taken out of the map; NULL: there is none. `mem`: only
// this object's, or NULL.
struct _cl_mem *address_map_remove(struct address_map *map, uint64_t begin,
                                   const struct _cl_mem *mem);
// The object whose range holds the address, with a count for the caller, and how far into it the
// address is. NULL: none, or it is going.
struct _cl_mem *address_map_find(struct address_map *map, uint64_t address, size_t *offset);

#endif
