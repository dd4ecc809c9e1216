// SPDX-License-Identifier: Apache-2.0
// Growable strings.
#include "util/str.h"
#include "check.h"

int main(void)
{
    struct arena arena;
    struct str str;
    arena_init(&arena, 0, NULL);
    str_init(&str, &arena);
    CHECK(str.length == 0);
    str_add(&str, "ab");
    str_addc(&str, 'c');
    str_addn(&str, "defgh", 2);
    str_printf(&str, "%d%s", 12, "!");
    CHECK_TEXT(str.text, "abcde12!");
    CHECK(str.length == 8);
    for (int i = 0; i < 10000; i++)
        str_printf(&str, "%d,", i);
    CHECK(strlen(str.text) == str.length && str.length == 8 + 10000 + 4 * 10000 - 1110);
    CHECK(!strcmp(str.text + str.length - 5, "9999,"));
    str_addn(&str, "", 0);
    CHECK(str.text[str.length] == 0);
    arena_finish(&arena);
    return check_result();
}
