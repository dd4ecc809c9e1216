// SPDX-License-Identifier: Apache-2.0
// fma for devices without a fused one: correctly rounded (0.5 ULP) with denormals.
//
// Floats in integer arithmetic: the product and the addend are integers with guard bits; the smaller one is shifted
// to the larger one's exponent, and bits shifted out are or-ed into the lowest bit ("jamming": it decides ties). Bits
// are lost only if the two differ so much that the sum needs at most one step of normalization, so one rounding at
// the end is correct.
#include "lib.h"

struct float_parts {
    uint mantissa; // 24 bits, the top one set
    int exponent;  // value = mantissa * 2^exponent
};

static struct float_parts float_split(float x)
{
    uint bits = as_uint(x) & 0x7fffffffu;
    int shift = (int)clz(bits) - 8;
    bool normal = bits >= 0x00800000u;
    struct float_parts p;
    p.mantissa = normal ? (bits & 0x007fffffu) | 0x00800000u : bits << shift;
    p.exponent = normal ? (int)(bits >> 23) - 150 : -149 - shift;
    return p;
}

static ulong shift_right_jam(ulong x, int amount) // amount 63 and more: 1 unless x is 0
{
    amount = min(amount, 63);
    return (x >> amount) | ((x & ((1ul << amount) - 1)) != 0);
}

// sign | sum * 2^exponent, the top bit of sum set; to nearest, ties to even.
static float float_join(uint sign, ulong sum, int exponent)
{
    int top = exponent + 63;
    int shift = top >= -126 ? 40 : min(40 - 126 - top, 66);
    int nibble = shift > 60 ? 4 : 0;
    sum = shift_right_jam(sum, nibble);
    shift -= nibble;
    ulong rest = sum & ((1ul << shift) - 1), half_way = 1ul << (shift - 1);
    uint result = (uint)(sum >> shift);
    result += rest > half_way || (rest == half_way && (result & 1));
    result += top >= -126 ? (uint)(min(top, 128) + 126) << 23 : 0;
    return as_float(sign | min(result, 0x7f800000u));
}

// x and y are not zero, all are finite.
static float float_fma_finite(float x, float y, float z)
{
    struct float_parts a = float_split(x), b = float_split(y), c = float_split(z);
    ulong product = ((ulong)a.mantissa * b.mantissa) << 14, addend = (ulong)c.mantissa << 38;
    int exponent = a.exponent + b.exponent - 14, addend_exponent = c.exponent - 38;
    uint sign = (as_uint(x) ^ as_uint(y)) & 0x80000000u, addend_sign = as_uint(z) & 0x80000000u;
    bool addend_first = exponent < addend_exponent;
    ulong first = addend_first ? addend : product, second = addend_first ? product : addend;
    uint first_sign = addend_first ? addend_sign : sign;
    second = shift_right_jam(second, abs(exponent - addend_exponent));
    ulong opposite = sign == addend_sign ? 0 : ~0ul;
    long total = (long)(first + ((second ^ opposite) - opposite)); // first + second < 2^63
    ulong sum = abs(total);
    first_sign ^= total < 0 ? 0x80000000u : 0;
    int up = (int)clz(sum);
    float result = float_join(first_sign, sum << up, max(exponent, addend_exponent) - up);
    return sum == 0 ? 0.0f : result;
}

LIB float fma(float x, float y, float z)
{
    // Without branches: compilers of devices without a fused fma inline this everywhere.
    uint ux = as_uint(x) & 0x7fffffffu, uy = as_uint(y) & 0x7fffffffu, uz = as_uint(z) & 0x7fffffffu;
    bool is_simple = ux >= 0x7f800000u || uy >= 0x7f800000u || ux == 0 || uy == 0;
    float simple = x * y + z; // exact, infinite or NaN
    float result = float_fma_finite(x, y, z);
    result = uz >= 0x7f800000u ? z + 0.0f : result;
    return is_simple ? simple : result;
}

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// The product of two halfs is exact in float; the sum is rounded to odd there, so that rounding again to half is
// harmless.
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

// Double precision by double arithmetic: the factors and the addend are scaled so that nothing overflows or
// underflows, the product's error is exact (Dekker), and so is each sum's (Knuth); rounded to odd, the residual
// decides ties of the last sum (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
// Of two numbers that differ by more than a factor of 2^110, the smaller one is moved to that distance: it affects the
// rounding direction only.
struct double_scaled {
    double mantissa; // 1 <= |mantissa| < 2
    int exponent;
};

static struct double_scaled double_scale(double x)
{
    bool is_small = fabs(x) < 0x1p-1022;
    ulong bits = as_ulong(is_small ? x * 0x1p54 : x);
    struct double_scaled s;
    s.mantissa = as_double((bits & 0x800ffffffffffffful) | 0x3ff0000000000000ul);
    s.exponent = ((int)(bits >> 52) & 0x7ff) - (is_small ? 1077 : 1023);
    return s;
}

struct double_sum {
    double value, error;
};

static struct double_sum double_add(double x, double y)
{
    struct double_sum s;
    s.value = x + y;
    double part = s.value - x;
    s.error = (x - (s.value - part)) + (y - part);
    return s;
}

static double double_high(double x) // the upper 26 bits
{
    double y = x * 0x1.000002p27;
    return y - (y - x);
}

static double double_product_error(double x, double y, double product)
{
    double xh = double_high(x), xl = x - xh, yh = double_high(y), yl = y - yh;
    return ((xh * yh - product) + xh * yl + xl * yh) + xl * yl;
}

// Moves one unit in the last place in the direction of `way`.
static double double_step(double x, double way)
{
    return as_double(as_ulong(x) + ((way > 0.0) == (x > 0.0) ? 1ul : ~0ul));
}

static double double_add_to_odd(double x, double y)
{
    struct double_sum s = double_add(x, y);
    return s.error != 0.0 && !(as_ulong(s.value) & 1) ? double_step(s.value, s.error) : s.value;
}

// (x + error) * 2^exponent if the result is not normal. The error, below half a unit, matters only for ties: if one
// bit is dropped, a tie has an odd last bit; if more are, setting the last bit to odd (sticky) preserves the error.
static double double_small(double x, double error, int exponent)
{
    bool one_bit = (((int)(as_ulong(x) >> 52) & 0x7ff) + exponent) == 0, odd = as_ulong(x) & 1;
    ulong bits = as_ulong(error != 0.0 && odd == one_bit ? double_step(x, error) : x);
    int at = max(((int)(bits >> 52) & 0x7ff) + exponent, -100);
    double scale = as_double((ulong)(at + 500) << 52);
    return as_double((bits & 0x800ffffffffffffful) | (523ul << 52)) * scale;
}

static double double_scaled_back(double x, double error, int exponent)
{
    ulong bits = as_ulong(x);
    int at = ((int)(bits >> 52) & 0x7ff) + exponent;
    double normal = as_double(bits + ((ulong)exponent << 52));
    double large = as_double((bits & 0x8000000000000000ul) | 0x7ff0000000000000ul);
    double result = at < 1 ? double_small(x, error, exponent) : at > 2046 ? large : normal;
    return x == 0.0 ? 0.0 : result;
}

LIB double fma(double x, double y, double z)
{
    ulong ux = as_ulong(x) & 0x7ffffffffffffffful, uy = as_ulong(y) & 0x7ffffffffffffffful;
    bool is_plain = ux - 1 >= 0x7feffffffffffffful || uy - 1 >= 0x7feffffffffffffful; // factors of 0, infinite, NaN
    struct double_scaled a = double_scale(x), b = double_scale(y), c = double_scale(z);
    int exponent = max(a.exponent + b.exponent, c.exponent - 110), distance = max(c.exponent - exponent, -120);
    double addend = z == 0.0 ? 0.0 : as_double(as_ulong(c.mantissa) + ((ulong)distance << 52));
    double product = a.mantissa * b.mantissa;
    struct double_sum low = double_add(double_product_error(a.mantissa, b.mantissa, product), addend);
    struct double_sum high = double_add(product, low.value);
    double rest = double_add_to_odd(high.error, low.error);
    double sum = high.value + rest;
    double result = double_scaled_back(sum, rest - (sum - high.value), exponent);
    result = isfinite(z) ? result : z + z;
    return is_plain ? x * y + z : result;
}
#endif
