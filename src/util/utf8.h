// SPDX-License-Identifier: Apache-2.0
// UTF-8: bytes <-> characters.
#ifndef PUMICE_UTIL_UTF8_H
#define PUMICE_UTIL_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_MOST = 4 }; // bytes of a character

// Bytes of the valid sequence at `text`, of which `left` bytes may be read; 0: there is none.
size_t utf8_length(const void *text, size_t left);
uint32_t utf8_decode(const void *text, size_t length); // `length` as utf8_length() has told
size_t utf8_encode(uint32_t character, char bytes[UTF8_MOST]); // how many bytes; the character is at most 0x10ffff

#endif
