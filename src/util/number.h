// SPDX-License-Identifier: Apache-2.0
// Conversion of floating-point numbers in C syntax to bits, correctly rounded (to nearest, ties to
// even) for the target format, independent of locale and rounding mode.
#ifndef PUMICE_UTIL_NUMBER_H
#define PUMICE_UTIL_NUMBER_H

#include <stdint.h>

enum number_format { NUMBER_HALF, NUMBER_FLOAT, NUMBER_DOUBLE };

// Decimal (12.5e-3) or hexadecimal (0x1.8p3; without p the exponent is 0), without a sign. *end:
// the end of the number; `text` if there is none. Overflow returns infinity.
uint64_t number_read(const char *text, const char **end, enum number_format format);

// x * y + z for finite numbers, rounded once: fma() of some C libraries rounds twice.
uint64_t number_fma(double x, double y, double z, enum number_format format);

enum { NUMBER_TEXT = 32 };
// Writes a finite double in hexadecimal, like %a in the locale "C": 0x1.8p+1.
void number_write(uint64_t bits, char text[NUMBER_TEXT]);

#endif
