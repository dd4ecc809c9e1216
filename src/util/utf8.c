// SPDX-License-Identifier: Apache-2.0
// UTF-8. See utf8.h.
#include "util/utf8.h"

size_t utf8_length(const void *text, size_t left)
{
    const unsigned char *p = text;
    size_t length = p[0] < 0x80   ? 1
                    : p[0] < 0xc2 ? 0
                    : p[0] < 0xe0 ? 2
                    : p[0] < 0xf0 ? 3
                    : p[0] < 0xf5 ? 4
                                  : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

uint32_t utf8_decode(const void *text, size_t length)
{
    const unsigned char *p = text;
    uint32_t character = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (p[i] & 0x3f);
    return character;
}

size_t utf8_encode(uint32_t character, char bytes[UTF8_MAX])
{
    size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, character >>= 6)
        bytes[i] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(length == 1 ? character : (0xff00u >> length & 0xff) | character);
    return length;
}
