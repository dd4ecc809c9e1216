// SPDX-License-Identifier: Apache-2.0
// Growing text in an arena; `text` is NUL-terminated once something was added (NULL before).
#ifndef PUMICE_UTIL_STR_H
#define PUMICE_UTIL_STR_H

#include <stdbool.h>

#include "util/arena.h"

struct str {
    struct arena *arena;
    char *text;
    size_t length, capacity;
};

void str_init(struct str *str, struct arena *arena);
void str_add(struct str *str, const char *text);
void str_addn(struct str *str, const char *text, size_t length);
void str_addc(struct str *str, char c);
void str_addu(struct str *str, const char *before, uint64_t number); // text, then a number in decimal: much faster than str_printf()
void str_printf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Compares the first `most` characters, or all, ignoring the case of ASCII letters.
bool str_same_letters(const char *a, const char *b, size_t most);

#endif
