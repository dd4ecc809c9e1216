// SPDX-License-Identifier: Apache-2.0
// Growing text; see str.h.
#include "util/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void str_init(struct str *str, struct arena *arena)
{
    *str = (struct str){.arena = arena};
}

static void str_grow(struct str *str, size_t more)
{
    size_t capacity = str->capacity ? str->capacity * 2 : 64;
    while (capacity < str->length + more + 1)
        capacity *= 2;
    char *bigger = arena_alloc(str->arena, capacity);
    if (str->length)
        memcpy(bigger, str->text, str->length);
    bigger[str->length] = 0;
    str->text = bigger;
    str->capacity = capacity;
}

// Returns the end of the text, where `more` characters and a NUL have room.
static inline char *str_reserve(struct str *str, size_t more)
{
    if (str->length + more + 1 > str->capacity)
        str_grow(str, more);
    return str->text + str->length;
}

void str_addn(struct str *str, const char *text, size_t length)
{
    char *at = str_reserve(str, length);
    if (length)
        memcpy(at, text, length);
    at[length] = 0;
    str->length += length;
}

// Most texts have a few characters: these are copied as they are read.
void str_add(struct str *str, const char *text)
{
    enum { SHORT = 16 };
    char *at = str_reserve(str, SHORT);
    size_t length = 0;
    for (; length < SHORT && text[length]; length++)
        at[length] = text[length];
    at[length] = 0;
    str->length += length;
    if (length == SHORT)
        str_addn(str, text + SHORT, strlen(text + SHORT));
}

void str_addc(struct str *str, char c)
{
    char *at = str_reserve(str, 1);
    at[0] = c;
    at[1] = 0;
    str->length++;
}

void str_addu(struct str *str, const char *before, uint64_t number)
{
    enum { MOST = 20 };
    size_t digits = 1;
    for (uint64_t power = 10; number >= power && digits < MOST; power *= 10)
        digits++;
    if (*before)
        str_add(str, before);
    char *at = str_reserve(str, MOST);
    str->length += digits;
    at[digits] = 0;
    for (; digits--; number /= 10)
        at[digits] = (char)('0' + number % 10);
}

void str_printf(struct str *str, const char *format, ...)
{
    enum { USUAL = 48 };
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    str_reserve(str, USUAL);
    size_t room = str->capacity - str->length, length = (size_t)vsnprintf(str->text + str->length, room, format, args);
    va_end(args);
    if (length >= room) {
        str_reserve(str, length);
        vsnprintf(str->text + str->length, length + 1, format, again);
    }
    va_end(again);
    str->length += length;
}

static int lower_case(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

bool str_same_letters(const char *a, const char *b, size_t most)
{
    for (; most && *a && lower_case(*a) == lower_case(*b); a++, b++, most--)
        ;
    return !most || lower_case(*a) == lower_case(*b);
}
