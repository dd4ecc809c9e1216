// SPDX-License-Identifier: Apache-2.0
// Characters beyond ASCII, in UTF-8 or as universal character names (C99 6.4.3).
#ifndef KC_TEXT_UNIVERSAL_H
#define KC_TEXT_UNIVERSAL_H

#include <stddef.h>
#include <stdint.h>

enum universal_kind { UNIVERSAL_OTHER, UNIVERSAL_LETTER, UNIVERSAL_NUMERAL, UNIVERSAL_BLANK };

enum universal_kind universal_kind(uint32_t character);

// The universal character name at the backslash of a NUL-terminated text: its bytes, and its character unless *error says what is
// wrong with it, for literals.
size_t universal_read(const char *text, uint32_t *character, const char **error);

#endif
