// SPDX-License-Identifier: Apache-2.0
// A hash map from pointer-sized keys to pointers, in an arena, and string interning based on it.
//
// Interned strings are compared by pointer. Any pointer except NULL can be a key. There is no
// removal; storing NULL clears a key's value. map_get() of a missing key returns NULL. A zeroed map
// is empty.
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
