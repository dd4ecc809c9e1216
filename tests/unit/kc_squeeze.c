// SPDX-License-Identifier: Apache-2.0
// Compressed texts are decompressed without a change, one by one, and are shorter.
#include "check.h"
#include "pack/squeeze.h"
#include <stdio.h>
#include <string.h>

static void comes_back(struct arena *arena, const char *texts, size_t length, size_t most)
{
    struct squeezed squeezed = squeeze(arena, texts, length);
    CHECK(squeezed.count + 2 * squeezed.rule_count <= most);
    const uint16_t *at = squeezed.symbols, *end = at + squeezed.count;
    size_t text = 0;
    while (at < end) {
        size_t expected = strlen(texts + text);
        CHECK(!strcmp(unsqueeze(arena, squeezed.rules, at, expected), texts + text));
        while (*at++)
            ;
        text += expected + 1;
    }
    CHECK(text == length);
}

static void many_lines(struct arena *arena, unsigned lines)
{
    char *texts = arena_alloc(arena, lines * 64u), *end = texts;
    for (unsigned i = 0; i < lines; i++) {
        end += sprintf(end, "%%%u = fmul f32 %%%u, f32 0x1.%xp+%u", i, i / 3, i * 7919, i % 17);
        *end++ = i % 5 ? '\n' : 0;
    }
    *end++ = 0;
    comes_back(arena, texts, (size_t)(end - texts), (size_t)(end - texts) / 3);
}

int main(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    static const char none[] = "", one[] = "a\0bc\0\0d",
                      same[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    comes_back(&arena, none, sizeof none, 1);
    comes_back(&arena, one, sizeof one, sizeof one);
    comes_back(&arena, same, sizeof same, 16);
    many_lines(&arena, 3000);
    arena_finish(&arena);
    return check_result();
}
