// SPDX-License-Identifier: Apache-2.0
// binary16: 1 sign bit, 5 exponent bits, 10 fraction bits. Exact to double; from double rounded to
// nearest even.
#ifndef PUMICE_UTIL_HALF_H
#define PUMICE_UTIL_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double half_to_double(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double value = exponent == 0    ? ldexp(fraction, -24)
                   : exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                                    : ldexp(fraction + 1024, exponent - 25);
    return half & 0x8000 ? -value : value;
}

// Rounds once from the double.
static inline uint16_t half_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 1024)
        return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 | (uint16_t)(fraction >> 42) : 0));
    if (exponent < -25)
        return sign;
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00);
    fraction |= UINT64_C(1) << 52;
    int drop = exponent < -14 ? 42 + (-14 - exponent) : 42; // bits below the last one that is kept
    uint64_t kept = fraction >> drop, rest = fraction & ((UINT64_C(1) << drop) - 1), middle = UINT64_C(1) << (drop - 1);
    kept += rest > middle || (rest == middle && (kept & 1));
    // A carry out of the fraction increments the exponent; normal numbers include their hidden bit.
    uint32_t biased = exponent < -14 ? 0 : (uint32_t)(exponent + 14) << 10;
    return (uint16_t)(sign | (biased + kept));
}

#endif
