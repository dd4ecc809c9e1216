// SPDX-License-Identifier: Apache-2.0
#include "large.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct text *to, const char *bytes, size_t size)
{
    if (to->size + size + 1 > to->room) {
        to->room = (to->size + size + 1) * 2;
        to->bytes = realloc(to->bytes, to->room);
        if (!to->bytes)
            exit(1);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    to->bytes[to->size] = 0;
}

static void add_number(struct text *to, unsigned number)
{
    char digits[16];
    add(to, digits, (size_t)snprintf(digits, sizeof digits, "%u", number));
}

static unsigned number_of(char form, unsigned i, unsigned n)
{
    switch (form) {
    case '-': return i - (i > 0);
    case '+': return i + 1;
    case 'n': return n;
    case '%': return i % 61;
    case '#': return i * 2654435761u & INT_MAX;
    default: return i;
    }
}

void text_one(struct text *to, const char *part, unsigned i, unsigned n)
{
    while (*part) {
        size_t plain = strcspn(part, "@");
        add(to, part, plain);
        part += plain;
        if (!*part)
            break;
        char form = part[1];
        add_number(to, number_of(form, i, n));
        part += 1 + (form && strchr("-+n%#", form));
    }
}

void text_part(struct text *to, const char *part, unsigned n)
{
    if (*part != '*' && *part != '^') {
        text_one(to, part, 0, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        text_one(to, part + 1, *part == '*' ? i : n - 1 - i, n);
}
