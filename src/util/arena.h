// SPDX-License-Identifier: Apache-2.0
// An arena: memory that is allocated piece by piece and only freed as a whole, or reset for the
// next use.
//
// Allocation never returns NULL: if memory runs out or the arena exceeds its limit, it jumps to
// `on_full`, which the arena's creator must have set by setjmp(). Not thread-safe.
#ifndef PUMICE_UTIL_ARENA_H
#define PUMICE_UTIL_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunk; // newest first
    struct arena_chunk *spare; // free chunks after a reset
    char *at, *end;            // free part of the newest chunk
    size_t total, limit;       // bytes allocated from the system; 0: no limit
    jmp_buf *on_full;
};

void arena_init(struct arena *arena, size_t limit, jmp_buf *on_full);
void arena_finish(struct arena *arena); // a zeroed or finished arena is allowed
void arena_reset(struct arena *arena);  // discards the contents, keeps the memory

void *arena_alloc(struct arena *arena, size_t size);  // 16-byte aligned, contents undefined
void *arena_zalloc(struct arena *arena, size_t size); // zeroed
void *arena_copy(struct arena *arena, const void *data, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_zalloc((arena), sizeof(type) * (size_t)(count)))

#endif
