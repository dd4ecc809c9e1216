// SPDX-License-Identifier: Apache-2.0
// Compressed texts are decompressed without a change, one by one, and are shorter.
#include "check.h"
#include "pack/squeeze.h"
#include <stdio.h>
#include <string.h>

static struct squeeze_code codes[SQUEEZE_CODES];

static void comes_back(struct arena *arena, const char *texts, size_t length, size_t most)
{
    unsigned char *bytes = arena_alloc(arena, length + 1);
    memcpy(bytes, texts, length);
    size_t squeezed = squeeze(arena, bytes, length, codes);
    CHECK(squeezed <= most);
    size_t at = 0, text = 0;
    while (at < squeezed) {
        size_t size = strlen((const char *)bytes + at), expected = strlen(texts + text);
        CHECK(!strcmp(unsqueeze(arena, codes, bytes + at, size), texts + text));
        at += size + 1;
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
    comes_back(arena, texts, (size_t)(end - texts), (size_t)(end - texts) / 2);
}

int main(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    static const char none[] = "", one[] = "a\0bc\0\0d",
                      same[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    comes_back(&arena, none, sizeof none, 1);
    comes_back(&arena, one, sizeof one, sizeof one);
    comes_back(&arena, same, sizeof same, 8);
    many_lines(&arena, 3000);
    arena_finish(&arena);
    return check_result();
}
