// SPDX-License-Identifier: Apache-2.0
// Two-level segregated fit. See suballoc.h.
//
// Nodes are in one growing array and are linked by index: to physical neighbours in both
// directions, and in the free list of their size class. Sizes below 16 units have a class each.
#include "vulkan/suballoc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct suballoc_node {
    uint32_t offset, size;
    uint32_t before, after;        // neighbours in the range
    uint32_t free_prev, free_next; // in the size class; free_next also links spare nodes
    bool free;
};

static uint32_t log2_floor(uint32_t value)
{
    return 31 - (uint32_t)__builtin_clz(value);
}

static uint32_t bin_of(uint32_t size)
{
    if (size < 16)
        return size;
    uint32_t log = log2_floor(size);
    return (log - 3) * 16 + ((size >> (log - 4)) & 15);
}

// The first class in which every piece fits `size`.
static uint32_t bin_above(uint32_t size)
{
    if (size < 16)
        return size;
    uint32_t step = (1u << (log2_floor(size) - 4)) - 1;
    return size > UINT32_MAX - step ? SUBALLOC_BINS : bin_of(size + step);
}

static uint32_t node_new(struct suballoc *s)
{
    if (s->spare != NONE) {
        uint32_t node = s->spare;
        s->spare = s->nodes[node].free_next;
        return node;
    }
    if (s->node_count == s->node_capacity) {
        uint32_t capacity = s->node_capacity ? s->node_capacity * 2 : 64;
        void *grown = realloc(s->nodes, capacity * sizeof *s->nodes);
        if (!grown)
            return NONE;
        s->nodes = grown;
        s->node_capacity = capacity;
    }
    return s->node_count++;
}

static void node_drop(struct suballoc *s, uint32_t node)
{
    s->nodes[node].free_next = s->spare;
    s->spare = node;
}

static void bin_insert(struct suballoc *s, uint32_t node)
{
    uint32_t bin = bin_of(s->nodes[node].size), head = s->bins[bin];
    s->nodes[node].free = true;
    s->nodes[node].free_prev = NONE;
    s->nodes[node].free_next = head;
    if (head != NONE)
        s->nodes[head].free_prev = node;
    s->bins[bin] = node;
    s->bitmap[bin / 64] |= UINT64_C(1) << bin % 64;
}

static void bin_remove(struct suballoc *s, uint32_t node)
{
    struct suballoc_node *n = &s->nodes[node];
    uint32_t bin = bin_of(n->size);
    if (n->free_prev != NONE)
        s->nodes[n->free_prev].free_next = n->free_next;
    else
        s->bins[bin] = n->free_next;
    if (n->free_next != NONE)
        s->nodes[n->free_next].free_prev = n->free_prev;
    if (s->bins[bin] == NONE)
        s->bitmap[bin / 64] &= ~(UINT64_C(1) << bin % 64);
    n->free = false;
}

static uint32_t find_bin(const struct suballoc *s, uint32_t from)
{
    if (from >= SUBALLOC_BINS)
        return NONE;
    uint32_t word = from / 64;
    uint64_t bits = s->bitmap[word] & ~UINT64_C(0) << from % 64;
    while (!bits) {
        if (++word == sizeof s->bitmap / sizeof s->bitmap[0])
            return NONE;
        bits = s->bitmap[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

// A free piece of at least `units`. If no larger class has one, also checks a few pieces of the
// size's own class.
static uint32_t find_free(const struct suballoc *s, uint32_t units)
{
    uint32_t bin = find_bin(s, bin_above(units));
    if (bin != NONE)
        return s->bins[bin];
    uint32_t node = s->bins[bin_of(units)];
    for (int tries = 0; node != NONE && tries < 16; tries++, node = s->nodes[node].free_next)
        if (s->nodes[node].size >= units)
            return node;
    return NONE;
}

bool suballoc_init(struct suballoc *s, uint32_t units)
{
    assert(units > 0);
    memset(s, 0, sizeof *s);
    memset(s->bins, 0xff, sizeof s->bins);
    s->spare = NONE;
    s->units = units;
    uint32_t node = node_new(s);
    if (node == NONE)
        return false;
    s->nodes[node] = (struct suballoc_node){.size = units, .before = NONE, .after = NONE};
    bin_insert(s, node);
    return true;
}

void suballoc_finish(struct suballoc *s)
{
    free(s->nodes);
    memset(s, 0, sizeof *s);
}

bool suballoc_take(struct suballoc *s, uint32_t units, uint32_t *offset, uint32_t *out)
{
    uint32_t node = find_free(s, units);
    if (node == NONE)
        return false;
    if (s->nodes[node].size > units) {
        uint32_t rest = node_new(s); // may reallocate s->nodes
        if (rest == NONE)
            return false;
        struct suballoc_node *n = &s->nodes[node];
        bin_remove(s, node);
        s->nodes[rest] = (struct suballoc_node){.offset = n->offset + units,
                                                .size = n->size - units,
                                                .before = node,
                                                .after = n->after};
        if (n->after != NONE)
            s->nodes[n->after].before = rest;
        n->after = rest;
        n->size = units;
        bin_insert(s, rest);
    } else {
        bin_remove(s, node);
    }
    s->used += units;
    *offset = s->nodes[node].offset;
    *out = node;
    return true;
}

// Merges `node` with its neighbour `after`; neither may be in a list.
static void join(struct suballoc *s, uint32_t node, uint32_t after)
{
    struct suballoc_node *n = &s->nodes[node], *a = &s->nodes[after];
    n->size += a->size;
    n->after = a->after;
    if (a->after != NONE)
        s->nodes[a->after].before = node;
    node_drop(s, after);
}

void suballoc_give(struct suballoc *s, uint32_t node)
{
    assert(!s->nodes[node].free);
    s->used -= s->nodes[node].size;
    uint32_t after = s->nodes[node].after, before = s->nodes[node].before;
    if (after != NONE && s->nodes[after].free) {
        bin_remove(s, after);
        join(s, node, after);
    }
    if (before != NONE && s->nodes[before].free) {
        bin_remove(s, before);
        join(s, before, node);
        node = before;
    }
    bin_insert(s, node);
}
