// SPDX-License-Identifier: Apache-2.0
// Compresses ASCII text: bytes from 128 up stand for frequent strings.
//
// Byte pair encoding (P. Gage, The C Users Journal, February 1994). The table contains the full strings, so
// decompression is one copy of 16 bytes for each byte.
#ifndef KC_SQUEEZE_H
#define KC_SQUEEZE_H

#include "util/arena.h"

enum { SQUEEZE_CODES = 128, SQUEEZE_LONGEST = 15 };

struct squeeze_code {
    char text[SQUEEZE_LONGEST];
    uint8_t length;
};

// Compresses the ASCII `text` in place and fills the table; returns the new length. NULs are preserved: they separate
// texts that are decompressed individually.
size_t squeeze(struct arena *arena, unsigned char *text, size_t length,
               struct squeeze_code codes[SQUEEZE_CODES]);

// Decompresses `size` bytes into a NUL-terminated string in the arena.
char *unsqueeze(struct arena *arena, const struct squeeze_code codes[SQUEEZE_CODES],
                const unsigned char *bytes, size_t size);

#endif
