// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing, at most three quarters full; see map.h.
#include "util/map.h"
#include "util/hash.h"

#include <string.h>

static struct map_slot *map_find(const struct map *map, const void *key)
{
    size_t mask = map->capacity - 1;
    size_t i = hash_step(0, (uintptr_t)key) & mask;
    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

void *map_get(const struct map *map, const void *key)
{
    return map->capacity ? map_find(map, key)->value : NULL;
}

static void map_grow(struct arena *arena, struct map *map)
{
    struct map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->slots = ARENA_ARRAY(arena, struct map_slot, map->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].key)
            *map_find(map, old.slots[i].key) = old.slots[i];
}

void map_set(struct arena *arena, struct map *map, const void *key, void *value)
{
    if ((map->count + 1) * 4 > map->capacity * 3)
        map_grow(arena, map);
    struct map_slot *slot = map_find(map, key);
    if (!slot->key) {
        slot->key = key;
        map->count++;
    }
    slot->value = value;
}

void intern_init(struct intern *intern, struct arena *arena)
{
    *intern = (struct intern){.arena = arena};
}

static struct intern_slot *intern_find(const struct intern *intern, uint32_t hash, const char *text, size_t length)
{
    size_t mask = intern->capacity - 1;
    size_t i = hash & mask;
    for (;; i = (i + 1) & mask) {
        struct intern_slot *slot = &intern->slots[i];
        if (!slot->text)
            return slot;
        if (slot->hash == hash && slot->length == length && !memcmp(slot->text, text, length))
            return slot;
    }
}

static void intern_grow(struct intern *intern)
{
    struct intern old = *intern;
    intern->capacity = old.capacity ? old.capacity * 2 : 256;
    intern->slots = ARENA_ARRAY(intern->arena, struct intern_slot, intern->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        struct intern_slot *slot = &old.slots[i];
        if (slot->text)
            *intern_find(intern, slot->hash, slot->text, slot->length) = *slot;
    }
}

const char *intern_string(struct intern *intern, const char *text, size_t length)
{
    if ((intern->count + 1) * 4 > intern->capacity * 3)
        intern_grow(intern);
    uint32_t hash = hash_bytes(text, length);
    struct intern_slot *slot = intern_find(intern, hash, text, length);
    if (!slot->text) {
        *slot = (struct intern_slot){hash, (uint32_t)length, arena_strndup(intern->arena, text, length)};
        intern->count++;
    }
    return slot->text;
}

const char *intern_cstring(struct intern *intern, const char *text)
{
    return intern_string(intern, text, strlen(text));
}
