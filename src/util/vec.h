// SPDX-License-Identifier: Apache-2.0
// Growable arrays in an arena:
//   VEC(struct token *) tokens = {0};  vec_push(arena, &tokens, t);  tokens.items[i], tokens.count
// Old storage remains in the arena: the total waste is at most the final size.
#ifndef PUMICE_UTIL_VEC_H
#define PUMICE_UTIL_VEC_H

#include "util/arena.h"
#include <string.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

static inline void *vec_grow_(struct arena *arena, void *items, size_t count, size_t *capacity, size_t want,
                              size_t size)
{
    if (want <= *capacity)
        return items;
    size_t grown = *capacity ? *capacity * 2 : 8;
    if (grown < want)
        grown = want;
    void *bigger = arena_alloc(arena, grown * size);
    if (count)
        memcpy(bigger, items, count * size);
    *capacity = grown;
    return bigger;
}

#define vec_reserve(arena, v, n)                                                                   \
    ((v)->items = vec_grow_((arena), (v)->items, (v)->count, &(v)->capacity, (n), sizeof *(v)->items))
#define vec_push(arena, v, item)                                                                   \
    (vec_reserve((arena), (v), (v)->count + 1), (v)->items[(v)->count++] = (item))

#endif
