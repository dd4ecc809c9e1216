// SPDX-License-Identifier: Apache-2.0
// ASCII made short: bytes from 128 up stand for strings that come often.
//
// Byte pair encoding (P. Gage, The C Users Journal, February 1994). The strings are written out in
// a table, so that reading is one copy of 16 bytes for each byte.
#ifndef KC_SQUEEZE_H
#define KC_SQUEEZE_H

#include "util/arena.h"

enum { SQUEEZE_CODES = 128, SQUEEZE_LONGEST = 15 };

struct squeeze_code {
    char text[SQUEEZE_LONGEST];
    uint8_t length;
};

// Shortens the ASCII `text` in place and fills the table; gives the new length. NUL stays as it is:
// it parts texts that are to be read one by one.
size_t squeeze(struct arena *arena, unsigned char *text, size_t length,
               struct squeeze_code codes[SQUEEZE_CODES]);

// The characters that `size` bytes stand for, NUL-terminated, in the arena.
char *unsqueeze(struct arena *arena, const struct squeeze_code codes[SQUEEZE_CODES],
                const unsigned char *bytes, size_t size);

#endif
