// SPDX-License-Identifier: Apache-2.0
// NaNs with the same bits on every host. RISC-V drops sign and payload of each NaN that it converts or
// computes with; others keep them.
#ifndef PUMICE_UTIL_NAN_H
#define PUMICE_UTIL_NAN_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t nan_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double nan_quieted(double nan)
{
    uint64_t bits = nan_bits(nan) | UINT64_C(1) << 51;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
}

// The conversions of IEEE 754. A NaN becomes quiet; its sign and the upper bits of its payload stay.
static inline double nan_float_to_double(uint32_t bits)
{
    uint64_t wide = (uint64_t)(bits >> 31) << 63 | UINT64_C(0xfff) << 51 | (uint64_t)(bits & 0x3fffff) << 29;
    float narrow;
    double value;
    memcpy(&narrow, &bits, sizeof narrow);
    if (!isnan(narrow))
        return narrow;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static inline uint32_t nan_float_from_double(double value)
{
    uint64_t wide = nan_bits(value);
    float narrow = (float)value;
    uint32_t bits;
    if (isnan(value))
        return (uint32_t)(wide >> 63) << 31 | 0x7fc00000 | (uint32_t)(wide >> 29 & 0x3fffff);
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

#endif
