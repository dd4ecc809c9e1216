// SPDX-License-Identifier: Apache-2.0
// Allocates pieces of a range of units: a two-level segregated fit.
//
// Free pieces are in lists by size class (16 classes per power of two, found by a bitmap), so
// allocating and freeing take constant time; adjacent free pieces are merged immediately. Knows
// only numbers, no memory.
#ifndef PUMICE_VULKAN_SUBALLOC_H
#define PUMICE_VULKAN_SUBALLOC_H

#include <stdbool.h>
#include <stdint.h>

enum { SUBALLOC_BINS = 464 };

struct suballoc_node;

struct suballoc {
    struct suballoc_node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t spare; // list of unused nodes
    uint32_t bins[SUBALLOC_BINS];
    uint64_t bitmap[(SUBALLOC_BINS + 63) / 64];
    uint32_t units, used;
};

// False when out of memory.
bool suballoc_init(struct suballoc *s, uint32_t units);
void suballoc_finish(struct suballoc *s);

// Allocates `units` (> 0): true, with the offset and a node to free it by.
bool suballoc_take(struct suballoc *s, uint32_t units, uint32_t *offset, uint32_t *node);
void suballoc_give(struct suballoc *s, uint32_t node);

#endif
