// SPDX-License-Identifier: Apache-2.0
// See address_map.h.
#include "object/address_map.h"

#include <stdlib.h>
#include <string.h>

#include "object/memobj.h"

enum { BLOCK = 256, BLOCK_MIN = BLOCK / 4 };

struct address_range {
    uint64_t begin, end;
    struct _cl_mem *mem;
};

struct address_block {
    size_t count;
    struct address_range ranges[BLOCK];
};

// The position of a range: its block and its index there.
struct position {
    size_t block, at;
};

void address_map_init(struct address_map *map)
{
    memset(map, 0, sizeof *map);
    pthread_mutex_init(&map->lock, NULL);
}

void address_map_finish(struct address_map *map)
{
    pthread_mutex_destroy(&map->lock);
    for (size_t i = 0; i < map->block_count; i++)
        free(map->blocks[i]);
    free(map->blocks);
    free(map->firsts);
}

// ---- searching ----------------------------------------------------------------------------------

static const struct address_range *range_at(const struct address_map *map, struct position position)
{
    return &map->blocks[position.block]->ranges[position.at];
}

// The last range that begins at or before the address. False: none.
static bool last_before(const struct address_map *map, uint64_t address, struct position *position)
{
    size_t low = 0, high = map->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->firsts[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return false;
    const struct address_block *block = map->blocks[position->block = low - 1];
    for (low = 0, high = block->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (block->ranges[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    position->at = low - 1; // the block's first range begins there at the latest
    return true;
}

static bool step_back(const struct address_map *map, struct position *position)
{
    if (position->at) {
        position->at--;
        return true;
    }
    if (!position->block)
        return false;
    position->block--;
    position->at = map->blocks[position->block]->count - 1;
    return true;
}

// ---- blocks -------------------------------------------------------------------------------------

static bool make_room(struct address_map *map)
{
    if (map->block_count < map->capacity)
        return true;
    size_t capacity = map->capacity ? map->capacity * 2 : 8;
    struct address_block **blocks = realloc(map->blocks, capacity * sizeof *blocks);
    if (blocks)
        map->blocks = blocks;
    uint64_t *firsts = blocks ? realloc(map->firsts, capacity * sizeof *firsts) : NULL;
    if (!firsts)
        return false;
    map->firsts = firsts;
    map->capacity = capacity;
    return true;
}

// An empty block, which the caller fills.
static struct address_block *insert_block(struct address_map *map, size_t at)
{
    struct address_block *block = make_room(map) ? malloc(sizeof *block) : NULL;
    if (!block)
        return NULL;
    size_t behind = map->block_count - at;
    memmove(map->blocks + at + 1, map->blocks + at, behind * sizeof *map->blocks);
    memmove(map->firsts + at + 1, map->firsts + at, behind * sizeof *map->firsts);
    map->blocks[at] = block;
    map->block_count++;
    block->count = 0;
    return block;
}

static void remove_block(struct address_map *map, size_t at)
{
    free(map->blocks[at]);
    map->block_count--;
    size_t behind = map->block_count - at;
    memmove(map->blocks + at, map->blocks + at + 1, behind * sizeof *map->blocks);
    memmove(map->firsts + at, map->firsts + at + 1, behind * sizeof *map->firsts);
}

static bool split(struct address_map *map, size_t at)
{
    struct address_block *more = insert_block(map, at + 1), *block = map->blocks[at];
    if (!more)
        return false;
    more->count = BLOCK / 2;
    block->count = BLOCK - BLOCK / 2;
    memcpy(more->ranges, block->ranges + block->count, more->count * sizeof *more->ranges);
    map->firsts[at + 1] = more->ranges[0].begin;
    return true;
}

// Merges two nearly empty blocks.
static void join_next(struct address_map *map, size_t at)
{
    struct address_block *block = map->blocks[at];
    if (at + 1 >= map->block_count)
        return;
    const struct address_block *next = map->blocks[at + 1];
    if (block->count + next->count > BLOCK_MIN)
        return;
    memcpy(block->ranges + block->count, next->ranges, next->count * sizeof *next->ranges);
    block->count += next->count;
    remove_block(map, at + 1);
}

// ---- interface ----------------------------------------------------------------------------------

// The position for a new range, with space in its block.
static bool position_for(struct address_map *map, uint64_t begin, struct position *position)
{
    bool behind = last_before(map, begin, position);
    if (behind)
        position->at++;
    else
        *position = (struct position){0, 0};
    if (!map->block_count)
        return insert_block(map, 0) != NULL;
    if (map->blocks[position->block]->count < BLOCK)
        return true;
    if (!split(map, position->block))
        return false;
    size_t half = map->blocks[position->block]->count;
    if (position->at > half)
        *position = (struct position){position->block + 1, position->at - half};
    return true;
}

static bool add(struct address_map *map, const struct address_range *range)
{
    struct position position;
    if (!position_for(map, range->begin, &position))
        return false;
    struct address_block *block = map->blocks[position.block];
    memmove(block->ranges + position.at + 1, block->ranges + position.at,
            (block->count - position.at) * sizeof *block->ranges);
    block->ranges[position.at] = *range;
    block->count++;
    map->firsts[position.block] = block->ranges[0].begin;
    map->count++;
    return true;
}

cl_int address_map_add(struct address_map *map, uint64_t begin, size_t size, struct _cl_mem *mem)
{
    const struct address_range range = {begin, begin + size, mem};
    pthread_mutex_lock(&map->lock);
    bool added = add(map, &range);
    pthread_mutex_unlock(&map->lock);
    return added ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void take_out(struct address_map *map, struct position position)
{
    struct address_block *block = map->blocks[position.block];
    block->count--;
    memmove(block->ranges + position.at, block->ranges + position.at + 1,
            (block->count - position.at) * sizeof *block->ranges);
    map->count--;
    if (!block->count) {
        remove_block(map, position.block);
        return;
    }
    map->firsts[position.block] = block->ranges[0].begin;
    join_next(map, position.block);
    if (position.block)
        join_next(map, position.block - 1);
}

struct _cl_mem *address_map_remove(struct address_map *map, uint64_t begin,
                                   const struct _cl_mem *mem)
{
    struct position position;
    struct _cl_mem *found = NULL;
    pthread_mutex_lock(&map->lock);
    bool some = last_before(map, begin, &position);
    while (some && mem && range_at(map, position)->begin == begin &&
           range_at(map, position)->mem != mem)
        some = step_back(map, &position);
    if (some && range_at(map, position)->begin == begin) {
        found = range_at(map, position)->mem;
        take_out(map, position);
    }
    pthread_mutex_unlock(&map->lock);
    return found;
}

struct _cl_mem *address_map_find(struct address_map *map, uint64_t address, size_t *offset)
{
    struct position position;
    struct _cl_mem *mem = NULL;
    if (!map->count)
        return NULL;
    pthread_mutex_lock(&map->lock);
    const struct address_range *range =
        last_before(map, address, &position) ? range_at(map, position) : NULL;
    if (range && address < range->end && object_try_use(range->mem)) {
        mem = range->mem;
        *offset = (size_t)(address - range->begin);
    }
    pthread_mutex_unlock(&map->lock);
    return mem;
}
