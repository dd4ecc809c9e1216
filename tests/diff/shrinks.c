// SPDX-License-Identifier: Apache-2.0
// shrinks FIRST COUNT: tests the shrinker with programs that fail randomly, whatever their size: every program that
// it produces must still be valid.
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_RUNS = 200 };

struct chance {
    unsigned state, runs;
};

static bool fails(struct program *p, void *data)
{
    struct chance *chance = data;
    if (++chance->runs > MAX_RUNS || !interpret(p))
        return false;
    chance->state = chance->state * 1664525u + 1013904223u;
    return chance->state >> 30 == 0;
}

static void shrink_one(uint64_t seed)
{
    struct arena arena;
    jmp_buf full;
    struct str text;
    struct chance chance = {.state = (unsigned)seed};
    arena_init(&arena, (size_t)2 << 30, &full);
    if (!setjmp(full)) {
        static const struct features features = {.generic = true, .matrices = 30, .deep = 30, .calls = 30, .weight = 30, .halves = true, .doubles = true, .smalls = true};
        struct program *p = generate(&arena, seed, &features);
        if (interpret(p))
            shrink(p, fails, &chance);
        str_init(&text, &arena);
        print_program(p, &text);
    }
    arena_finish(&arena);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) {
        fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        shrink_one(seed);
    }
    return 0;
}
