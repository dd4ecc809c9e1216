// SPDX-License-Identifier: Apache-2.0
// See json.h.
#include "info/json.h"

#include <stdio.h>

static int depth;
static bool filled; // the open list or object has an element

static void quote(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void begin(const char *key)
{
    if (depth)
        printf("%s\n%*s", filled ? "," : "", 2 * depth, "");
    filled = true;
    if (!key)
        return;
    quote(key);
    fputs(": ", stdout);
}

void json_open(const char *key, char bracket)
{
    begin(key);
    putchar(bracket);
    depth++;
    filled = false;
}

void json_close(char bracket)
{
    depth--;
    if (filled)
        printf("\n%*s", 2 * depth, "");
    putchar(bracket);
    filled = true;
    if (!depth)
        putchar('\n');
}

void json_text(const char *key, const char *value)
{
    begin(key);
    if (value)
        quote(value);
    else
        fputs("null", stdout);
}

void json_number(const char *key, double value)
{
    begin(key);
    printf("%.6g", value);
}

void json_count(const char *key, unsigned long long value)
{
    begin(key);
    printf("%llu", value);
}

void json_bool(const char *key, bool value)
{
    begin(key);
    fputs(value ? "true" : "false", stdout);
}
