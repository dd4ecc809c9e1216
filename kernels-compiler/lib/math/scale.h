// SPDX-License-Identifier: Apache-2.0
// Powers of two by their bits. A result may be denormal or overflow, so it is scaled in two steps.

// 2^k, k in -126 .. 127
static float power_of_two(int k)
{
    return as_float((k + 127) << 23);
}

// x * 2^k, k in -252 .. 254
static float scale(float x, int k)
{
    int part = k >> 1;
    return x * power_of_two(part) * power_of_two(k - part);
}

// The leading 12 bits of a number: products of two of them are exact.
static float leading(float x)
{
    return as_float(as_uint(x) & 0xfffff000u);
}
