// SPDX-License-Identifier: Apache-2.0
// The format strings of OpenCL C's printf (6.15.14), taken apart one conversion at a time.
//
// The compiler checks arguments against them, the runtime prints with them. Text that is no
// conversion the language knows stays text: FORMAT_NONE with `error` saying what is wrong. A vector
// without a length modifier, which many programs have, is taken for one of whatever the argument is.
#ifndef PUMICE_UTIL_FORMAT_H
#define PUMICE_UTIL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

enum format_kind {
    FORMAT_NONE, // the end, or no conversion
    FORMAT_PERCENT,
    FORMAT_SIGNED,
    FORMAT_UNSIGNED,
    FORMAT_FLOAT,
    FORMAT_CHAR,
    FORMAT_STRING,
    FORMAT_POINTER,
};

// SIZE: z and t, as wide as the device's size_t. WIDE: ll and j, which are reserved in the language and taken as 64 bits here.
enum format_length { FORMAT_DEFAULT, FORMAT_HH, FORMAT_H, FORMAT_HL, FORMAT_L, FORMAT_SIZE, FORMAT_WIDE };

struct format_conversion {
    enum format_kind kind;
    char letter;
    char flags[8];        // each at most once
    int width, precision; // -1: not given
    unsigned lanes;       // of the vector specifier; 1: none
    enum format_length length;
    const char *begin, *end; // of the conversion in the text
    const char *error;       // NULL: none
};

// Finds the next '%' at or after `at`. False: there is none. Go on from conversion->end.
bool format_next(const char *at, struct format_conversion *conversion);

#endif
