// SPDX-License-Identifier: Apache-2.0
// 128-bit products and quotients from 64-bit halves: 32-bit machines have no 128-bit integers.
#ifndef PUMICE_UTIL_WIDE_H
#define PUMICE_UTIL_WIDE_H

#include <stdint.h>

// The upper 64 bits of x * y. No sum overflows.
static inline uint64_t wide_umulhi(uint64_t x, uint64_t y)
{
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
    uint64_t other = x0 * y1 + (uint32_t)middle;
    return x1 * y1 + (middle >> 32) + (other >> 32);
}

// The same for signed numbers: corrects that a negative factor was treated as 2^64 more.
static inline uint64_t wide_smulhi(int64_t x, int64_t y)
{
    uint64_t high = wide_umulhi((uint64_t)x, (uint64_t)y);
    return high - (x < 0 ? (uint64_t)y : 0) - (y < 0 ? (uint64_t)x : 0);
}

// high * 2^64 / d, for high less than d; the remainder in *rest. One bit at a time.
static inline uint64_t wide_udiv(uint64_t high, uint64_t d, uint64_t *rest)
{
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        uint64_t carry = high >> 63;
        high <<= 1;
        quotient <<= 1;
        if (carry || high >= d) {
            high -= d;
            quotient |= 1;
        }
    }
    *rest = high;
    return quotient;
}

#endif
