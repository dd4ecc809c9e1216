// SPDX-License-Identifier: Apache-2.0
// Hash maps by pointer and interned strings, while they grow.
#include "util/map.h"
#include "check.h"

#include <stdio.h>

enum { MANY = 5000 };

static void test_map(struct arena *arena)
{
    static int keys[MANY], values[MANY];
    struct map map = {0};
    CHECK(!map_get(&map, &keys[0]));
    for (int i = 0; i < MANY; i++)
        map_set(arena, &map, &keys[i], &values[i]);
    CHECK(map.count == MANY);
    for (int i = 0; i < MANY; i++)
        CHECK(map_get(&map, &keys[i]) == &values[i]);
    map_set(arena, &map, &keys[7], &values[8]);
    CHECK(map.count == MANY && map_get(&map, &keys[7]) == &values[8]);
    map_set(arena, &map, &keys[7], NULL);
    CHECK(!map_get(&map, &keys[7]) && map_get(&map, &keys[6]));
}

static void test_intern(struct arena *arena)
{
    struct intern intern;
    const char *first[MANY];
    char text[32];
    intern_init(&intern, arena);
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "name%d", i);
        first[i] = intern_cstring(&intern, text);
        CHECK_TEXT(first[i], text);
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "name%d", i);
        CHECK(intern_cstring(&intern, text) == first[i]);
    }
    CHECK(intern_string(&intern, "name12345", 6) == first[1] ? 0 : 1);
    CHECK(intern_string(&intern, "name12345", 5) == first[1]);
    CHECK(intern_string(&intern, "", 0) == intern_cstring(&intern, ""));
    const char *zero = intern_string(&intern, "a\0b", 3);
    CHECK(zero != intern_cstring(&intern, "a") && zero[2] == 'b' && zero[3] == 0);
}

int main(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    test_map(&arena);
    test_intern(&arena);
    arena_finish(&arena);
    return check_result();
}
