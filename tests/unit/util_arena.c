// SPDX-License-Identifier: Apache-2.0
// Arena: alignment, growth over chunks, and the unwinding at the limit.
#include "util/arena.h"
#include "check.h"

#include <stdint.h>

static void test_alignment_and_contents(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    char *seen[200];
    for (size_t i = 0; i < 200; i++) {
        seen[i] = arena_alloc(&arena, i * 7 + 1);
        CHECK((uintptr_t)seen[i] % 16 == 0);
        memset(seen[i], (int)i, i * 7 + 1);
    }
    for (size_t i = 0; i < 200; i++)
        CHECK(seen[i][0] == (char)i && seen[i][i * 7] == (char)i);
    arena_finish(&arena);
    CHECK(!arena.chunk && !arena.total);
}

static void test_larger_than_a_chunk(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    char *big = arena_zalloc(&arena, 5 << 20);
    CHECK(big[0] == 0 && big[(5 << 20) - 1] == 0);
    CHECK_TEXT(arena_printf(&arena, "%d-%s", 42, "x"), "42-x");
    CHECK_TEXT(arena_strndup(&arena, "abcdef", 3), "abc");
    CHECK_TEXT((char *)arena_copy(&arena, "hi", 3), "hi");
    arena_finish(&arena);
    arena_finish(&arena);
}

static void test_limit_unwinds(void)
{
    struct arena arena;
    jmp_buf full;
    volatile int rounds = 0, unwound = 0;
    arena_init(&arena, 1 << 20, &full);
    if (!setjmp(full)) {
        for (; rounds < 100000; rounds++)
            arena_alloc(&arena, 1000);
    } else {
        unwound = 1;
    }
    CHECK(unwound && rounds > 100 && rounds < 1100);
    CHECK(arena.total <= 1 << 20);
    arena_finish(&arena);
}

static void fill(struct arena *arena)
{
    for (size_t i = 0; i < 3000; i++)
        memset(arena_alloc(arena, i), 1, i);
}

static void test_reset_keeps_memory(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    fill(&arena);
    size_t total = arena.total;
    for (int round = 0; round < 5; round++) {
        arena_reset(&arena);
        CHECK(*(char *)arena_zalloc(&arena, 1) == 0);
        fill(&arena);
    }
    CHECK(arena.total <= total + (1 << 20)); // the space left in some chunks may not have sufficed
    arena_reset(&arena);
    arena_alloc(&arena, 32 << 20); // larger than the cached chunks
    arena_reset(&arena);
    arena_finish(&arena);
    CHECK(!arena.chunk && !arena.spare && !arena.total);
}

static void test_absurd_size_unwinds(void)
{
    struct arena arena;
    jmp_buf full;
    volatile int unwound = 0;
    arena_init(&arena, 0, &full);
    if (!setjmp(full))
        arena_alloc(&arena, SIZE_MAX - 3);
    else
        unwound = 1;
    CHECK(unwound);
    arena_finish(&arena);
}

int main(void)
{
    test_alignment_and_contents();
    test_larger_than_a_chunk();
    test_limit_unwinds();
    test_reset_keeps_memory();
    test_absurd_size_unwinds();
    return check_result();
}
