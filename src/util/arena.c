// SPDX-License-Identifier: Apache-2.0
// Bump allocation in chunks that double; see arena.h.
//
// When an arena has grown to a few MiB, further chunks use large pages if available: otherwise such
// large workloads spend much time on page faults and address translation.
#include "util/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
};

enum { FIRST_CHUNK = 16 << 10, LARGEST_CHUNK = 1 << 20, LARGE_PAGE = 2 << 20, ALIGN = 16, HEADER = 16 };
enum { MUCH = 1 << 20 }; // an arena above this size uses large pages

_Static_assert(sizeof(struct arena_chunk) <= HEADER, "the header must fit before the first object");

void arena_init(struct arena *arena, size_t limit, jmp_buf *on_full)
{
    *arena = (struct arena){.limit = limit, .on_full = on_full};
}

// ---- chunks: large pages, or malloc() -----------------------------------------------------------

static bool is_paged(size_t size) { return size >= LARGE_PAGE; }

// Whole large pages at a suitably aligned address.
static void *map_pages(size_t size)
{
    void *space = pages_map(size, LARGE_PAGE);
    if (space)
        pages_hint_large(space, size, true); // otherwise there are more page faults
    return space;
}

static void free_chunks(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        if (is_paged(chunk->size))
            pages_unmap(chunk, chunk->size);
        else
            free(chunk);
        chunk = older;
    }
}

void arena_finish(struct arena *arena)
{
    free_chunks(arena->chunk);
    free_chunks(arena->spare);
    *arena = (struct arena){0};
}

// Under AddressSanitizer the memory is freed, so that uses after the reset are detected.
void arena_reset(struct arena *arena)
{
    struct arena_chunk *chunk = arena->chunk;
    arena->at = arena->end = NULL;
    arena->chunk = NULL;
#ifdef __SANITIZE_ADDRESS__
    free_chunks(chunk);
    arena->total = 0;
#else
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        chunk->older = arena->spare;
        arena->spare = chunk;
        chunk = older;
    }
#endif
}

static _Noreturn void arena_full(struct arena *arena)
{
    if (!arena->on_full)
        abort();
    longjmp(*arena->on_full, 1);
}

// The first spare chunk that is large enough; the oldest, smallest ones come first.
static struct arena_chunk *take_spare(struct arena *arena, size_t size)
{
    struct arena_chunk **link = &arena->spare;
    while (*link && (*link)->size < size)
        link = &(*link)->older;
    struct arena_chunk *found = *link;
    if (found)
        *link = found->older;
    return found;
}

static struct arena_chunk *new_chunk(struct arena *arena, size_t size)
{
    size_t want = arena->chunk ? arena->chunk->size * 2 : FIRST_CHUNK;
    if (want > LARGEST_CHUNK)
        want = arena->total < MUCH ? LARGEST_CHUNK : LARGE_PAGE;
    if (want < size)
        want = size;
    if (is_paged(want))
        want = (want + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1);
    if (arena->limit && want > arena->limit - arena->total)
        arena_full(arena);
    struct arena_chunk *chunk = is_paged(want) ? map_pages(want) : malloc(want);
    if (!chunk)
        arena_full(arena);
    chunk->size = want;
    arena->total += want;
    return chunk;
}

// A large allocation gets a chunk of its own; the rest of the newest chunk remains in use.
static void *own_chunk(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = take_spare(arena, size + HEADER);
    if (!chunk)
        chunk = new_chunk(arena, size + HEADER);
    chunk->older = arena->chunk->older;
    arena->chunk->older = chunk;
    return (char *)chunk + HEADER;
}

static void arena_grow(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = take_spare(arena, size + HEADER);
    if (!chunk)
        chunk = new_chunk(arena, size + HEADER);
    chunk->older = arena->chunk;
    arena->chunk = chunk;
    arena->at = (char *)chunk + HEADER;
    arena->end = (char *)chunk + chunk->size;
}

// What does not fit in the newest chunk, or has a size of 0: never NULL, never shared.
static __attribute__((noinline)) void *alloc_slowly(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        arena_full(arena);
    size = size ? (size + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN;
    if ((size_t)(arena->end - arena->at) < size) {
        if (arena->chunk && size >= LARGE_PAGE)
            return own_chunk(arena, size);
        arena_grow(arena, size);
    }
    void *result = arena->at;
    arena->at += size;
    return result;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    char *result = arena->at;
    const size_t left = (size_t)(arena->end - result) & ~(size_t)(ALIGN - 1);
    if (size - 1 >= left)
        return alloc_slowly(arena, size);
    arena->at = result + ((size + ALIGN - 1) & ~(size_t)(ALIGN - 1));
    return result;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
    return memset(arena_alloc(arena, size), 0, size);
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
    void *result = arena_alloc(arena, size);
    return size ? memcpy(result, data, size) : result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *result = arena_alloc(arena, length + 1);
    if (length)
        memcpy(result, text, length);
    result[length] = 0;
    return result;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *result = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(result, (size_t)length + 1, format, again);
    va_end(again);
    return result;
}
