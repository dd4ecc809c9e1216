// SPDX-License-Identifier: Apache-2.0
// For the golden test programs of the front end: reads a whole source file as the compiler's input.
#ifndef TESTS_UNIT_INPUT_H
#define TESTS_UNIT_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pumice/kc.h"

static char *input_read(FILE *stream, size_t *length)
{
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    *length = 0;
    for (size_t count; (count = fread(text + *length, 1, capacity - *length - 1, stream)) > 0;) {
        *length += count;
        if (*length == capacity - 1)
            text = realloc(text, capacity *= 2);
    }
    text[*length] = '\0';
    return text;
}

// "-" is standard input. False: the file cannot be read; the error has been printed.
static bool input_open(struct kc_input *kc, const char *path)
{
    FILE *stream = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!stream) {
        perror(path);
        return false;
    }
    kc->source = input_read(stream, &kc->length);
    kc->file_name = path;
    if (stream != stdin)
        fclose(stream);
    return true;
}

static void input_close(struct kc_input *kc)
{
    free((void *)kc->source);
}

#endif
