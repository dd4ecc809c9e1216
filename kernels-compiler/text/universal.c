// SPDX-License-Identifier: Apache-2.0
// Characters beyond ASCII. See universal.h.
#include "text/universal.h"

#include <stdbool.h>

static const struct {
    uint16_t first, last;
    uint8_t kind;
} rows[] = {
#define CHARACTERS(first, last, kind) {first, last, UNIVERSAL_##kind},
#include "text/characters.def"
};

enum universal_kind universal_kind(uint32_t character)
{
    size_t low = 0, high = sizeof rows / sizeof *rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows[middle].last < character)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < sizeof rows / sizeof *rows && rows[low].first <= character;
    return found ? (enum universal_kind)rows[low].kind : UNIVERSAL_OTHER;
}

static uint32_t digit_of(char c)
{
    char letter = (char)(c | 0x20);
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    return letter >= 'a' && letter <= 'f' ? (uint32_t)(letter - 'a' + 10) : 16;
}

static const char *wrong_character(uint32_t c)
{
    if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return "invalid universal character";
    if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        return "universal character name refers to a control character";
    if (c < 0xa0 && c != '$' && c != '@' && c != '`')
        return "character cannot be specified by a universal character name";
    return NULL;
}

size_t universal_read(const char *text, uint32_t *character, const char **error)
{
    size_t wanted = text[1] == 'u' ? 4 : 8, count = 0;
    *character = 0;
    while (count < wanted && digit_of(text[2 + count]) < 16)
        *character = *character << 4 | digit_of(text[2 + count++]);
    *error = count == 0       ? "universal character name without digits"
             : count < wanted ? "incomplete universal character name"
                              : wrong_character(*character);
    return 2 + count;
}
