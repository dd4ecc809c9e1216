// SPDX-License-Identifier: Apache-2.0
// UTF-8: bytes <-> characters.
#ifndef PUMICE_UTIL_UTF8_H
#define PUMICE_UTIL_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX = 4 }; // maximum bytes of a character

// Length of the valid sequence at `text`, reading at most `left` bytes; 0: invalid.
size_t utf8_length(const void *text, size_t left);
uint32_t utf8_decode(const void *text, size_t length); // `length`: from utf8_length()
size_t utf8_encode(uint32_t character, char bytes[UTF8_MAX]); // returns the number of bytes; the
                                                              // character must be at most 0x10ffff

#endif
