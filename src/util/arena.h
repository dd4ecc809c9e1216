// SPDX-License-Identifier: Apache-2.0
// Memory that lives exactly as long as one piece of work: allocate, never free, destroy everything, or keep the
// chunks for the next piece.
//
// Allocation never returns NULL: when memory runs out or the arena passes its limit it jumps to
// `on_full`, which whoever created the arena must have set by setjmp(). Not thread-safe.
#ifndef PUMICE_UTIL_ARENA_H
#define PUMICE_UTIL_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunk; // newest first
    struct arena_chunk *spare; // chunks from before a reset
    char *at, *end;            // free part of the newest chunk
    size_t total, limit;       // bytes taken from the system; 0: no limit
    jmp_buf *on_full;
};

void arena_init(struct arena *arena, size_t limit, jmp_buf *on_full);
void arena_finish(struct arena *arena); // a zeroed or finished arena is allowed
void arena_reset(struct arena *arena);  // forgets the contents, keeps the memory

void *arena_alloc(struct arena *arena, size_t size);  // 16-byte aligned, contents undefined
void *arena_zalloc(struct arena *arena, size_t size); // zeroed
void *arena_copy(struct arena *arena, const void *data, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_zalloc((arena), sizeof(type) * (size_t)(count)))

#endif
