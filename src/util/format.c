// SPDX-License-Identifier: Apache-2.0
// See format.h. Parses % flags width .precision vN length letter, each part in a function of its
// own.
#include "util/format.h"

#include <string.h>

enum { NUMBER_MAX = 1 << 20 }; // larger widths are clamped: nobody prints that many bytes

static void read_flags(const char **at, struct format_conversion *c)
{
    size_t count = 0;
    for (; **at && strchr("-+ #0", **at); ++*at)
        if (!strchr(c->flags, **at))
            c->flags[count++] = **at;
}

static int read_number(const char **at)
{
    int value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (value < NUMBER_MAX)
            value = value * 10 + (**at - '0');
    return value < NUMBER_MAX ? value : NUMBER_MAX;
}

static void read_sizes(const char **at, struct format_conversion *c)
{
    c->width = c->precision = -1;
    if (**at >= '1' && **at <= '9')
        c->width = read_number(at);
    if (**at != '.')
        return;
    ++*at;
    c->precision = read_number(at);
}

static void read_lanes(const char **at, struct format_conversion *c)
{
    c->lanes = 1;
    if (**at != 'v')
        return;
    ++*at;
    c->lanes = (unsigned)read_number(at);
    if (c->lanes != 2 && c->lanes != 3 && c->lanes != 4 && c->lanes != 8 && c->lanes != 16)
        c->error = "a vector specifier is v2, v3, v4, v8 or v16";
}

static void read_length(const char **at, struct format_conversion *c)
{
    static const struct {
        char text[3];
        enum format_length length;
    } lengths[] = {{"hh", FORMAT_HH}, {"hl", FORMAT_HL},  {"h", FORMAT_H},    {"ll", FORMAT_WIDE},
                   {"l", FORMAT_L},   {"j", FORMAT_WIDE}, {"z", FORMAT_SIZE}, {"t", FORMAT_SIZE}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t size = strlen(lengths[i].text);
        if (strncmp(*at, lengths[i].text, size))
            continue;
        *at += size;
        c->length = lengths[i].length;
        return;
    }
}

static enum format_kind kind_of(char letter)
{
    static const struct {
        const char *letters;
        enum format_kind kind;
    } kinds[] = {{"di", FORMAT_SIGNED}, {"ouxX", FORMAT_UNSIGNED}, {"fFeEgGaA", FORMAT_FLOAT},
                 {"c", FORMAT_CHAR},    {"s", FORMAT_STRING},      {"p", FORMAT_POINTER},
                 {"%", FORMAT_PERCENT}};
    for (size_t i = 0; letter && i < sizeof kinds / sizeof *kinds; i++)
        if (strchr(kinds[i].letters, letter))
            return kinds[i].kind;
    return FORMAT_NONE;
}

static bool is_number(enum format_kind kind)
{
    return kind == FORMAT_SIGNED || kind == FORMAT_UNSIGNED || kind == FORMAT_FLOAT;
}

static const char *wrong(const struct format_conversion *c)
{
    if (c->kind == FORMAT_NONE)
        return c->letter ? "unknown conversion" : "the conversion is incomplete";
    if (c->lanes > 1 && !is_number(c->kind))
        return "this conversion does not support vectors";
    if (c->lanes == 1 && c->length == FORMAT_HL)
        return "the length modifier 'hl' requires a vector";
    if (c->length != FORMAT_DEFAULT && !is_number(c->kind))
        return "this conversion does not support length modifiers";
    return NULL;
}

bool format_next(const char *at, struct format_conversion *c)
{
    memset(c, 0, sizeof *c);
    at = strchr(at, '%');
    if (!at)
        return false;
    c->begin = at++;
    read_flags(&at, c);
    read_sizes(&at, c);
    read_lanes(&at, c);
    read_length(&at, c);
    c->letter = *at;
    c->kind = kind_of(*at);
    c->end = at + (*at != '\0');
    if (!c->error)
        c->error = wrong(c);
    if (c->error)
        c->kind = FORMAT_NONE;
    return true;
}
