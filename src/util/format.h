// SPDX-License-Identifier: Apache-2.0
// Parses the format strings of OpenCL C's printf (6.15.14), one conversion at a time.
//
// The compiler uses it to check arguments, the runtime to print them. An invalid conversion is
// treated as text: FORMAT_NONE, with `error` describing the problem. A vector conversion without a
// length modifier, which many programs use, gets the argument's type.
#ifndef PUMICE_UTIL_FORMAT_H
#define PUMICE_UTIL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

enum format_kind {
    FORMAT_NONE, // the end, or an invalid conversion
    FORMAT_PERCENT,
    FORMAT_SIGNED,
    FORMAT_UNSIGNED,
    FORMAT_FLOAT,
    FORMAT_CHAR,
    FORMAT_STRING,
    FORMAT_POINTER,
};

// SIZE: z and t, as wide as the device's size_t. WIDE: ll and j, which the language reserves; 64
// bits here.
enum format_length { FORMAT_DEFAULT, FORMAT_HH, FORMAT_H, FORMAT_HL, FORMAT_L, FORMAT_SIZE, FORMAT_WIDE };

struct format_conversion {
    enum format_kind kind;
    char letter;
    char flags[8];        // each at most once
    int width, precision; // -1: not specified
    unsigned lanes;       // from the vector specifier; 1: none
    enum format_length length;
    const char *begin, *end; // of the conversion in the text
    const char *error;       // NULL: none
};

// Finds the next '%' at or after `at`. False: none. Continue at conversion->end.
bool format_next(const char *at, struct format_conversion *conversion);

#endif
