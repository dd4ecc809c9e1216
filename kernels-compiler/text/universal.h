// SPDX-License-Identifier: Apache-2.0
// Characters beyond ASCII, in UTF-8 or as universal character names (C99 6.4.3).
#ifndef KC_TEXT_UNIVERSAL_H
#define KC_TEXT_UNIVERSAL_H

#include <stddef.h>
#include <stdint.h>

enum universal_kind { UNIVERSAL_OTHER, UNIVERSAL_LETTER, UNIVERSAL_NUMERAL, UNIVERSAL_BLANK };

enum universal_kind universal_kind(uint32_t character);

// Reads the universal character name at the backslash of a NUL-terminated text. Returns its length in bytes and sets
// *character, or *error if it is invalid in a literal.
size_t universal_read(const char *text, uint32_t *character, const char **error);

#endif
