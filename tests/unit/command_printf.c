// SPDX-License-Identifier: Apache-2.0
// Valid and invalid contents of printf buffers: the resulting text, and no crash.
#include "check.h"
#include "command/printf.h"

#include <stdlib.h>

enum { RECORDS = 256, SIZE = KC_PRINTF_HEADER + RECORDS + KC_PRINTF_RECORD_MAX };

static const uint64_t segment = UINT64_C(0x1fffffff0); // its low half wraps around
static uint8_t data[96], buffer[SIZE];
static struct kc_program program = {.data = data, .data_size = sizeof data};

static uint32_t *word(size_t index)
{
    return (uint32_t *)(void *)(buffer + KC_PRINTF_HEADER) + index;
}

static const char *printed(void)
{
    static char text[8192];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    struct printf_source source = {&program, segment, (uint32_t)segment, buffer, SIZE};
    printf_write(&source, out);
    fclose(out);
    return text;
}

// At 8: "%d %s\n" of an int and a string; at 40: no arguments; at 60: the string.
static void fill_data(void)
{
    static const uint8_t call[] = {2, KC_PRINTF_INT, 32, 1, KC_PRINTF_POINTER, 64, 1};
    memcpy(data + 8, call, sizeof call);
    memcpy(data + 8 + sizeof call, "%d %s\n", 7);
    memcpy(data + 41, "plain\n", 7);
    memcpy(data + 60, "text", 5);
}

static void fill_buffer(void)
{
    uint64_t string = segment + 60;
    memset(buffer, 0, sizeof buffer);
    *word(0) = (uint32_t)segment + 8;
    *word(1) = (uint32_t)-5;
    memcpy(word(2), &string, 8);
    *word(4) = (uint32_t)segment + 40;
    memcpy(buffer, (uint32_t[]){20, RECORDS}, 8);
}

static void records(void)
{
    fill_buffer();
    CHECK_TEXT(printed(), "-5 text\nplain\n");
    memcpy(buffer, (uint32_t[]){0, RECORDS}, 8);
    CHECK_TEXT(printed(), "");
    memcpy(buffer, (uint32_t[]){16, RECORDS}, 8);
    CHECK_TEXT(printed(), "-5 text\n");
}

static void strings_elsewhere(void)
{
    uint64_t strings[] = {0, segment - 1, segment + sizeof data, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        fill_buffer();
        memcpy(word(2), &strings[i], 8);
        CHECK_TEXT(printed(), i ? "-5 (no literal string)\nplain\n" : "-5 (null)\nplain\n");
    }
}

static void calls_elsewhere(void)
{
    fill_buffer();
    *word(4) = (uint32_t)(segment + sizeof data);
    CHECK_TEXT(printed(), "-5 text\n");
    *word(4) = (uint32_t)segment - 1;
    CHECK_TEXT(printed(), "-5 text\n");
    data[95] = 'x'; // a format without a terminator
    *word(4) = (uint32_t)segment + 94;
    CHECK_TEXT(printed(), "-5 text\n");
    data[95] = 0;
    *word(4) = (uint32_t)segment + 95; // a description without a format
    CHECK_TEXT(printed(), "-5 text\n");
}

// The count exceeds the limit: records below the limit are printed.
static void full(void)
{
    fill_buffer();
    for (size_t i = 0; i < RECORDS / 4; i++)
        *word(i) = (uint32_t)segment + 40;
    memcpy(buffer, (uint32_t[]){UINT32_MAX, RECORDS}, 8);
    CHECK(strlen(printed()) == RECORDS / 4 * strlen("plain\n"));
}

static void garbage(void)
{
    srand(1);
    for (int round = 0; round < 3000; round++) {
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)(rand() % 3 ? "%v2#dsfpclh16.x"[rand() % 15] : rand() % 20);
        data[1] = KC_PRINTF_FLOAT, data[2] = 64, data[3] = 16;
        for (size_t i = 0; i < RECORDS / 4; i++)
            *word(i) = (uint32_t)segment + (uint32_t)rand() % 100;
        memcpy(buffer, (uint32_t[]){RECORDS, RECORDS}, 8);
        CHECK(printed() != NULL);
    }
}

int main(void)
{
    fill_data();
    records();
    strings_elsewhere();
    calls_elsewhere();
    full();
    garbage();
    return check_result();
}
