// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers as C writes them -> bits, correctly rounded (to nearest, ties to even) for the format itself,
// whatever the locale and the rounding mode are.
#ifndef PUMICE_UTIL_NUMBER_H
#define PUMICE_UTIL_NUMBER_H

#include <stdint.h>

enum number_format { NUMBER_HALF, NUMBER_FLOAT, NUMBER_DOUBLE };

// Decimal (12.5e-3) or hexadecimal (0x1.8p3; without p the exponent is 0), without a sign. *end: behind the number;
// `text` itself if there is none. Too large: infinity.
uint64_t number_read(const char *text, const char **end, enum number_format format);

// x * y + z of finite numbers, rounded once: fma() of some C libraries rounds twice.
uint64_t number_fma(double x, double y, double z, enum number_format format);

enum { NUMBER_TEXT = 32 };
// A finite double in hexadecimal, as %a writes it in the locale "C": 0x1.8p+1.
void number_write(uint64_t bits, char text[NUMBER_TEXT]);

#endif
