// SPDX-License-Identifier: Apache-2.0
// Growable arrays.
#include "util/vec.h"
#include "check.h"

struct pair {
    int a;
    char b;
};

int main(void)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    VEC(struct pair) pairs = {0};
    for (int i = 0; i < 3000; i++)
        vec_push(&arena, &pairs, ((struct pair){i, (char)i}));
    CHECK(pairs.count == 3000 && pairs.capacity >= 3000 && pairs.capacity < 6001);
    for (int i = 0; i < 3000; i++)
        CHECK(pairs.items[i].a == i && pairs.items[i].b == (char)i);
    VEC(char) letters = {0};
    vec_reserve(&arena, &letters, 1000);
    CHECK(letters.capacity >= 1000 && letters.count == 0);
    char *before = letters.items;
    for (int i = 0; i < 1000; i++)
        vec_push(&arena, &letters, 'x');
    CHECK(letters.items == before && letters.count == 1000);
    arena_finish(&arena);
    return check_result();
}
