// SPDX-License-Identifier: Apache-2.0
// scale.h for double.
#include "math/device.h"

// 2^k, k in -1022 .. 1023
static double power_of_two_d(int k)
{
    return QUICK ? of_words(0, (uint)(k + 1023) << 20) : as_double((long)(k + 1023) << 52);
}

// x * 2^k, k in -2044 .. 2046
static double scale_d(double x, int k)
{
    int part = k >> 1;
    return x * power_of_two_d(part) * power_of_two_d(k - part);
}

// The leading 26 bits of a number: products of two of them are exact.
static double leading_d(double x)
{
    return as_double(as_ulong(x) & 0xfffffffff8000000ul);
}
