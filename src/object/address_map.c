// SPDX-License-Identifier: Apache-2.0
// See address_map.h.
#include "object/address_map.h"

#include <stdlib.h>
#include <string.h>

#include "object/memobj.h"

struct address_range {
    uint64_t begin, end;
    struct _cl_mem *mem;
};

void address_map_init(struct address_map *map)
{
    memset(map, 0, sizeof *map);
    pthread_mutex_init(&map->lock, NULL);
}

void address_map_finish(struct address_map *map)
{
    pthread_mutex_destroy(&map->lock);
    free(map->ranges);
}

// How many ranges begin at or before the address.
static size_t count_before(const struct address_map *map, uint64_t address)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->ranges[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool make_room(struct address_map *map)
{
    if (map->count < map->capacity)
        return true;
    size_t capacity = map->capacity ? map->capacity * 2 : 8;
    struct address_range *ranges = realloc(map->ranges, capacity * sizeof *ranges);
    if (!ranges)
        return false;
    map->ranges = ranges;
    map->capacity = capacity;
    return true;
}

cl_int address_map_add(struct address_map *map, uint64_t begin, size_t size, struct _cl_mem *mem)
{
    pthread_mutex_lock(&map->lock);
    bool room = make_room(map);
    if (room) {
        size_t at = count_before(map, begin);
        memmove(map->ranges + at + 1, map->ranges + at, (map->count - at) * sizeof *map->ranges);
        map->ranges[at] = (struct address_range){begin, begin + size, mem};
        map->count++;
    }
    pthread_mutex_unlock(&map->lock);
    return room ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

struct _cl_mem *address_map_remove(struct address_map *map, uint64_t begin,
                                   const struct _cl_mem *mem)
{
    struct _cl_mem *found = NULL;
    pthread_mutex_lock(&map->lock);
    size_t at = count_before(map, begin);
    while (mem && at && map->ranges[at - 1].begin == begin && map->ranges[at - 1].mem != mem)
        at--;
    if (at && map->ranges[at - 1].begin == begin) {
        found = map->ranges[at - 1].mem;
        memmove(map->ranges + at - 1, map->ranges + at, (map->count - at) * sizeof *map->ranges);
        map->count--;
    }
    pthread_mutex_unlock(&map->lock);
    return found;
}

struct _cl_mem *address_map_find(struct address_map *map, uint64_t address, size_t *offset)
{
    struct _cl_mem *mem = NULL;
    if (!map->count)
        return NULL;
    pthread_mutex_lock(&map->lock);
    size_t at = count_before(map, address);
    const struct address_range *range = at ? &map->ranges[at - 1] : NULL;
    if (range && address < range->end && object_try_use(range->mem)) {
        mem = range->mem;
        *offset = (size_t)(address - range->begin);
    }
    pthread_mutex_unlock(&map->lock);
    return mem;
}
