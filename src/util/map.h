// SPDX-License-Identifier: Apache-2.0
// A hash map from pointer-sized keys to pointers, in an arena, and string interning on top of it.
//
// An interned string is compared by its pointer. Keys are any pointer but NULL. Insertion only; storing
// NULL takes a key's value away. map_get() of an absent key is NULL. A zeroed map is empty.
#ifndef PUMICE_UTIL_MAP_H
#define PUMICE_UTIL_MAP_H

#include "util/arena.h"
#include <stdbool.h>

struct map_slot {
    const void *key;
    void *value;
};

struct map {
    struct map_slot *slots;
    size_t count, capacity; // capacity is a power of two
};

void *map_get(const struct map *map, const void *key);
void map_set(struct arena *arena, struct map *map, const void *key, void *value);

struct intern_slot {
    uint32_t hash, length;
    const char *text;
};

struct intern {
    struct arena *arena;
    struct intern_slot *slots;
    size_t count, capacity;
};

void intern_init(struct intern *intern, struct arena *arena);
const char *intern_string(struct intern *intern, const char *text, size_t length); // NUL-terminated result
const char *intern_cstring(struct intern *intern, const char *text);

#endif
