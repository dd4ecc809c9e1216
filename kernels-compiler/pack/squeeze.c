// SPDX-License-Identifier: Apache-2.0
// Byte pair encoding; see squeeze.h.
#include "pack/squeeze.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

static unsigned length_of(const struct squeeze_code *codes, unsigned char byte)
{
    return byte < 128 ? 1 : codes[byte - 128].length;
}

static struct squeeze_code joined(const struct squeeze_code *codes, const unsigned char pair[2])
{
    struct squeeze_code code = {{0}, 0};
    for (unsigned i = 0; i < 2; i++) {
        const char *text = pair[i] < 128 ? (const char *)&pair[i] : codes[pair[i] - 128].text;
        unsigned length = length_of(codes, pair[i]);
        memcpy(code.text + code.length, text, length);
        code.length = (uint8_t)(code.length + length);
    }
    return code;
}

// The pair whose replacement saves most; false if no pair occurs twice.
static bool best_pair(const unsigned char *text, size_t length, const struct squeeze_code *codes,
                      uint32_t *counts, unsigned char pair[2])
{
    uint32_t most = 1;
    memset(counts, 0, 65536 * sizeof *counts);
    for (size_t i = 0; i + 1 < length; i++) {
        if (!text[i] || !text[i + 1] ||
            length_of(codes, text[i]) + length_of(codes, text[i + 1]) > SQUEEZE_LONGEST)
            continue;
        uint32_t count = ++counts[text[i] << 8 | text[i + 1]];
        if (count > most) {
            most = count;
            memcpy(pair, text + i, 2);
        }
    }
    return most > 1;
}

static size_t replace(unsigned char *text, size_t length, const unsigned char pair[2],
                      unsigned char code)
{
    size_t to = 0;
    for (size_t i = 0; i < length; i++, to++) {
        bool found = i + 1 < length && text[i] == pair[0] && text[i + 1] == pair[1];
        text[to] = found ? code : text[i];
        i += found;
    }
    return to;
}

size_t squeeze(struct arena *arena, unsigned char *text, size_t length,
               struct squeeze_code codes[SQUEEZE_CODES])
{
    uint32_t *counts = ARENA_ARRAY(arena, uint32_t, 65536);
    unsigned char pair[2];
    for (size_t i = 0; i < length; i++)
        assert(text[i] < 128);
    memset(codes, 0, SQUEEZE_CODES * sizeof *codes);
    for (unsigned n = 0; n < SQUEEZE_CODES && best_pair(text, length, codes, counts, pair); n++) {
        codes[n] = joined(codes, pair);
        length = replace(text, length, pair, (unsigned char)(128 + n));
    }
    return length;
}

// Length of the decompressed text.
static size_t unsqueezed_length(const struct squeeze_code codes[SQUEEZE_CODES],
                                const unsigned char *bytes, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < size; i++)
        length += length_of(codes, bytes[i]);
    return length;
}

char *unsqueeze(struct arena *arena, const struct squeeze_code codes[SQUEEZE_CODES],
                const unsigned char *bytes, size_t size)
{
    size_t length = unsqueezed_length(codes, bytes, size);
    char *text = arena_alloc(arena, length + sizeof *codes),
         *to = text; // every copy writes a whole table row
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < 128) {
            *to++ = (char)bytes[i];
        } else {
            const struct squeeze_code *code = &codes[bytes[i] - 128];
            memcpy(to, code, sizeof *code);
            to += code->length;
        }
    }
    *to = 0;
    return text;
}
