// SPDX-License-Identifier: Apache-2.0
// Storage-only float formats: bfloat16 (upper half of a float) and the two 8-bit formats of "FP8
// Formats for Deep Learning". Exact to double; from double rounded to nearest even. Overflow gives
// infinity, or NaN if the format has none (E4M3).
#ifndef PUMICE_UTIL_SMALL_FLOAT_H
#define PUMICE_UTIL_SMALL_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum small_float { SMALL_BF16, SMALL_E4M3, SMALL_E5M2 };

static const struct small_format {
    int bits, mantissa, bias;
    uint32_t last;     // magnitude of the largest finite number
    uint32_t too_much; // result for larger numbers
    uint32_t nan;
} small_formats[] = {
    [SMALL_BF16] = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0},
    [SMALL_E4M3] = {8, 3, 7, 0x7e, 0x7f, 0x7f},
    [SMALL_E5M2] = {8, 2, 15, 0x7b, 0x7c, 0x7e},
};

static inline double small_to_double(enum small_float format, uint32_t bits)
{
    const struct small_format *f = &small_formats[format];
    uint32_t sign = bits >> (f->bits - 1) & 1, size = bits & ((1u << (f->bits - 1)) - 1);
    int exponent = (int)(size >> f->mantissa), fraction = (int)(size & ((1u << f->mantissa) - 1));
    double value = exponent ? ldexp(fraction + (1 << f->mantissa), exponent - f->bias - f->mantissa)
                            : ldexp(fraction, 1 - f->bias - f->mantissa);
    if (size > f->last)
        value = size == f->too_much && f->too_much != f->nan ? (double)INFINITY : (double)NAN;
    return sign ? -value : value;
}

// Rounds once from the double.
static inline uint32_t small_from_double(enum small_float format, double value)
{
    const struct small_format *f = &small_formats[format];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits); // signbit() of mingw-w64 is sometimes wrong
    uint32_t sign = bits >> 63 ? 1u << (f->bits - 1) : 0;
    int exponent;
    if (isnan(value))
        return sign | f->nan;
    if (value == 0)
        return sign;
    frexp(value, &exponent);
    exponent = isinf(value) || exponent > f->bias + 2 ? f->bias + 2 : exponent < 2 - f->bias ? 2 - f->bias : exponent;
    // in units of the last bit, up to 2 << mantissa
    double units = fabs(ldexp(value, f->mantissa + 1 - exponent));
    uint32_t whole = units > 4 << f->mantissa ? 4u << f->mantissa : (uint32_t)units;
    double rest = units - whole;
    whole += rest > .5 || (rest == .5 && (whole & 1));
    uint32_t size = ((uint32_t)(exponent + f->bias - 2) << f->mantissa) + whole;
    return sign | (size > f->last ? f->too_much : size);
}

#endif
