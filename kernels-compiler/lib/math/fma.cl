// SPDX-License-Identifier: Apache-2.0
// fma in integer arithmetic, for devices whose own is not fused. Correctly rounded (0.5 ULP) with denormals.
//
// The product and the addend stand as integers with guard bits; the smaller one is shifted to the larger one's
// exponent, what falls off is kept in the lowest bit ("jamming": it decides ties). Bits fall off only
// when the two differ so much that the sum needs no more than one step of normalisation, so that one rounding at the end is right.
#include "lib.h"

struct float_parts {
    uint mantissa; // 24 bits, the top one set
    int exponent;  // value = mantissa * 2^exponent
};

static struct float_parts float_split(float x)
{
    uint bits = as_uint(x) & 0x7fffffffu;
    struct float_parts p;
    if (bits >= 0x00800000u) {
        p.mantissa = (bits & 0x007fffffu) | 0x00800000u;
        p.exponent = (int)(bits >> 23) - 150;
        return p;
    }
    int shift = (int)clz(bits) - 8;
    p.mantissa = bits << shift;
    p.exponent = -149 - shift;
    return p;
}

static ulong shift_right_jam(ulong x, int amount)
{
    if (amount <= 0)
        return x;
    if (amount > 63)
        return x != 0;
    return (x >> amount) | ((x << (64 - amount)) != 0);
}

// sign | sum * 2^exponent, the top bit of sum set; to nearest, ties to even.
static float float_join(uint sign, ulong sum, int exponent)
{
    int top = exponent + 63;
    int shift = top >= -126 ? 40 : min(40 - 126 - top, 66);
    if (shift > 60) {
        sum = shift_right_jam(sum, 4);
        shift -= 4;
    }
    ulong rest = sum & ((1ul << shift) - 1), half_way = 1ul << (shift - 1);
    uint result = (uint)(sum >> shift);
    result += rest > half_way || (rest == half_way && (result & 1));
    if (top >= -126)
        result += (uint)(min(top, 128) + 126) << 23;
    return as_float(sign | min(result, 0x7f800000u));
}

static float float_fma_finite(float x, float y, float z)
{
    struct float_parts a = float_split(x), b = float_split(y), c = float_split(z);
    ulong product = ((ulong)a.mantissa * b.mantissa) << 14, addend = (ulong)c.mantissa << 38;
    int exponent = a.exponent + b.exponent - 14, addend_exponent = c.exponent - 38;
    uint sign = (as_uint(x) ^ as_uint(y)) & 0x80000000u, addend_sign = as_uint(z) & 0x80000000u;
    int apart = exponent - addend_exponent;
    product = shift_right_jam(product, -apart);
    addend = shift_right_jam(addend, apart);
    exponent = max(exponent, addend_exponent);
    ulong sum = product + addend;
    if (sign != addend_sign) {
        if (product == addend)
            return 0.0f;
        sum = product > addend ? product - addend : addend - product;
        sign = product > addend ? sign : addend_sign;
    }
    int up = (int)clz(sum);
    return float_join(sign, sum << up, exponent - up);
}

LIB float fma(float x, float y, float z)
{
    uint ux = as_uint(x) & 0x7fffffffu, uy = as_uint(y) & 0x7fffffffu, uz = as_uint(z) & 0x7fffffffu;
    if (ux >= 0x7f800000u || uy >= 0x7f800000u || ux == 0 || uy == 0)
        return x * y + z; // exact, infinite or NaN
    if (uz >= 0x7f800000u)
        return z + 0.0f;
    if (uz == 0) {
        float product = x * y;
        return product == 0.0f ? product : product + z;
    }
    return float_fma_finite(x, y, z);
}

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// The product of two halves is exact in float; the sum is rounded to odd there, so that rounding again to half is harmless.
LIB half fma(half x, half y, half z)
{
    float product = (float)x * (float)y, addend = (float)z;
    float sum = product + addend;
    float part = sum - product;
    float error = (product - (sum - part)) + (addend - part); // exact (Knuth's TwoSum)
    int bits = as_int(sum);
    if (error != 0.0f && isfinite(sum) && (bits & 1) == 0)
        bits += ((error > 0.0f) != (sum < 0.0f)) ? 1 : -1;
    return (half)as_float(bits);
}
#endif

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

struct wide {
    ulong high, low;
};

static struct wide wide_left(struct wide x, int amount) // 0 .. 127
{
    struct wide r;
    if (amount >= 64) {
        r.high = x.low << (amount - 64);
        r.low = 0;
    } else {
        r.high = amount ? (x.high << amount) | (x.low >> (64 - amount)) : x.high;
        r.low = x.low << amount;
    }
    return r;
}

static struct wide wide_right_jam(struct wide x, int amount)
{
    struct wide r = x;
    if (amount <= 0)
        return r;
    if (amount > 127) {
        r.high = 0;
        r.low = (x.high | x.low) != 0;
        return r;
    }
    struct wide lost = wide_left(x, 128 - amount);
    if (amount >= 64) {
        r.high = 0;
        r.low = x.high >> (amount - 64);
    } else {
        r.high = x.high >> amount;
        r.low = (x.low >> amount) | (x.high << (64 - amount));
    }
    r.low |= (lost.high | lost.low) != 0;
    return r;
}

static struct wide wide_add(struct wide x, struct wide y)
{
    struct wide r;
    r.low = x.low + y.low;
    r.high = x.high + y.high + (r.low < x.low);
    return r;
}

static struct wide wide_subtract(struct wide x, struct wide y)
{
    struct wide r;
    r.low = x.low - y.low;
    r.high = x.high - y.high - (x.low < y.low);
    return r;
}

static bool wide_less(struct wide x, struct wide y)
{
    return x.high < y.high || (x.high == y.high && x.low < y.low);
}

struct double_parts {
    ulong mantissa; // 53 bits, the top one set
    int exponent;
};

static struct double_parts double_split(double x)
{
    ulong bits = as_ulong(x) & 0x7ffffffffffffffful;
    struct double_parts p;
    if (bits >= 0x0010000000000000ul) {
        p.mantissa = (bits & 0x000ffffffffffffful) | 0x0010000000000000ul;
        p.exponent = (int)(bits >> 52) - 1075;
        return p;
    }
    int shift = (int)clz(bits) - 11;
    p.mantissa = bits << shift;
    p.exponent = -1074 - shift;
    return p;
}

// The top bit of sum (64 bits, the rest jammed in) is set.
static double double_join(ulong sign, ulong sum, int exponent)
{
    int top = exponent + 63;
    int shift = top >= -1022 ? 11 : min(11 - 1022 - top, 66);
    if (shift > 60) {
        sum = shift_right_jam(sum, 4);
        shift -= 4;
    }
    ulong rest = sum & ((1ul << shift) - 1), half_way = 1ul << (shift - 1);
    ulong result = sum >> shift;
    result += rest > half_way || (rest == half_way && (result & 1));
    if (top >= -1022)
        result += (ulong)(min(top, 1024) + 1022) << 52;
    return as_double(sign | min(result, 0x7ff0000000000000ul));
}

static double double_fma_finite(double x, double y, double z)
{
    struct double_parts a = double_split(x), b = double_split(y), c = double_split(z);
    struct wide product, addend, sum;
    product.high = mul_hi(a.mantissa, b.mantissa);
    product.low = a.mantissa * b.mantissa;
    addend.high = 0;
    addend.low = c.mantissa;
    product = wide_left(product, 20);
    addend = wide_left(addend, 73);
    int exponent = a.exponent + b.exponent - 20, addend_exponent = c.exponent - 73;
    ulong sign = (as_ulong(x) ^ as_ulong(y)) & 0x8000000000000000ul;
    ulong addend_sign = as_ulong(z) & 0x8000000000000000ul;
    int apart = exponent - addend_exponent;
    product = wide_right_jam(product, -apart);
    addend = wide_right_jam(addend, apart);
    exponent = max(exponent, addend_exponent);
    if (sign == addend_sign) {
        sum = wide_add(product, addend);
    } else if (wide_less(product, addend)) {
        sum = wide_subtract(addend, product);
        sign = addend_sign;
    } else {
        sum = wide_subtract(product, addend);
        if ((sum.high | sum.low) == 0)
            return 0.0;
    }
    int up = (int)(sum.high ? clz(sum.high) : 64 + clz(sum.low));
    sum = wide_left(sum, up);
    return double_join(sign, sum.high | (sum.low != 0), exponent - up + 64);
}

LIB double fma(double x, double y, double z)
{
    ulong ux = as_ulong(x) & 0x7ffffffffffffffful, uy = as_ulong(y) & 0x7ffffffffffffffful,
          uz = as_ulong(z) & 0x7ffffffffffffffful;
    if (ux >= 0x7ff0000000000000ul || uy >= 0x7ff0000000000000ul || ux == 0 || uy == 0)
        return x * y + z;
    if (uz >= 0x7ff0000000000000ul)
        return z + 0.0;
    if (uz == 0) {
        double product = x * y;
        return product == 0.0 ? product : product + z;
    }
    return double_fma_finite(x, y, z);
}
#endif
