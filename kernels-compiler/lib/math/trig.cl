// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan, sincos and their pi forms: a quadrant q and a reduced argument |r| <= pi/4, then polynomials in r
// (own minimax fits).
//
// Small arguments are reduced by Cody and Waite's subtraction of pi/2 in four parts, whose products with q are exact;
// large ones by Payne and Hanek's product with the relevant bits of 2/pi, in integers.
#include "lib.h"
#include "math/device.h"
#include "math/pointers.h"
#include "math/scale.h"

#define ROUNDER 0x1.8p23f
#define CODY_WAITE_LIMIT 6400.0f // q < 2^12

struct quadrant {
    float r;
    int q; // only its two lowest bits are significant
};

// 32 bits of a sequence of words, starting inside the first
static uint bits_from(uint first, uint second, uint offset)
{
    return (first << offset) | ((second >> 1) >> (31 - offset));
}

// x >= 2^12 and finite: x = m 2^s, m of 24 bits, times 96 bits of 2/pi, starting where the product is 2 m. 62 bits of
// the fraction of a quadrant remain.
static struct quadrant reduce_large(float x)
{
    uint bits = as_uint(x), m = (bits & 0x7fffffu) | 0x800000u, offset = (bits >> 23) - 120;
    bool by4 = offset & 128, by2 = offset & 64, by1 = offset & 32;
    uint w0 = by4 ? 0xf534ddc0u : 0u, w1 = by4 ? 0xdb629599u : 0xa2f9836eu;
    uint w2 = by4 ? 0x3c439041u : 0x4e441529u, w3 = by4 ? 0xfe5163abu : 0xfc2757d1u;
    uint w4 = 0xf534ddc0u, w5 = 0xdb629599u, w6 = 0x3c439041u;
    w0 = by2 ? w2 : w0, w1 = by2 ? w3 : w1, w2 = by2 ? w4 : w2, w3 = by2 ? w5 : w3,
    w4 = by2 ? w6 : w4;
    w0 = by1 ? w1 : w0, w1 = by1 ? w2 : w1, w2 = by1 ? w3 : w2, w3 = by1 ? w4 : w3;
    offset &= 31;
    uint a = bits_from(w0, w1, offset), b = bits_from(w1, w2, offset),
         c = bits_from(w2, w3, offset);
    uint low = m * b + mul_hi(m, c), high = m * a + mul_hi(m, b) + (low < m * b);

    struct quadrant result;
    uint q = (high + 0x20000000u) >> 30;
    high -= q << 30;
    uint negative = (uint)((int)high >> 31);
    high ^= negative;
    low ^= negative;
    bool far = high == 0;
    high = far ? low : high;
    low = far ? 0u : low;
    int zeros = (int)clz(high);
    float rest = (float)bits_from(high, low, (uint)zeros & 31) * 0x1.921fb6p-30f *
                 power_of_two(far ? -zeros - 32 : -zeros);
    result.r = negative ? -rest : rest;
    result.q = (int)q;
    return result;
}

// x >= 0
static struct quadrant reduce(float x)
{
    struct quadrant result;
    if (x >= CODY_WAITE_LIMIT)
        return reduce_large(x);
    float shifted = x * 0x1.45f306p-1f + ROUNDER, q = shifted - ROUNDER;
    result.q = as_int(shifted);
    float r = mad(q, -0x1.fb4p-12f, mad(q, -0x1.92p+0f, x));
    result.r = mad(q, -0x1.68c234p-39f, mad(q, -0x1.444p-24f, r));
    return result;
}

// |r| <= pi/4: 2^-27.9 relative
static float sin_poly(float r)
{
    float square = r * r, p = mad(square, -0x1.9952ecp-13f, 0x1.110776p-7f);
    p = mad(square, p, -0x1.555546p-3f);
    return mad(square * r, p, r);
}

// 2^-33
static float cos_poly(float r)
{
    float square = r * r, p = mad(square, 0x1.99e8fcp-16f, -0x1.6c0c2ap-10f);
    p = mad(square, p, 0x1.55554ap-5f);
    return mad(square * square, p, mad(square, -0.5f, 1.0f));
}

// The quick forms: pi/2 in three parts, since fused products are exact; all are positive, so that a zero keeps its
// sign.
#define QUICK_LIMIT 1e5f // q < 2^16: the first difference is exact

static struct quadrant quick_reduce(float x)
{
    struct quadrant result;
    float shifted = mad(x, 0x1.45f306p-1f, ROUNDER), q = shifted - ROUNDER;
    result.q = as_int(shifted);
    result.r = mad(q, -0x1.846988p-48f, mad(q, -0x1.4442dp-24f, mad(q, -0x1.921fb4p+0f, x)));
    return result;
}

// The sine of quadrant q + turn, branch-free
static float quick_sin_in(struct quadrant x, int turn)
{
    float r = x.r, square = r * r, s = mad(square, -0x1.9952ecp-13f, 0x1.110776p-7f);
    float c = mad(square, 0x1.99e8fcp-16f, -0x1.6c0c2ap-10f);
    s = mad(square, s, -0x1.555546p-3f);
    c = mad(square, c, 0x1.55554ap-5f);
    s = r * mad(square, s, 1.0f); // keeps the sign of zero
    c = mad(square, mad(square, c, -0.5f), 1.0f);
    int q = x.q + turn;
    float y = q & 1 ? c : s;
    return as_float(as_uint(y) ^ ((uint)(q & 2) << 30));
}

// The sine of x in quadrant q + turn; `sign`: the sign bit of the argument
static float sin_in(struct quadrant x, int turn, uint sign)
{
    uint q = (uint)(x.q + turn);
    float y = q & 1 ? cos_poly(x.r) : sin_poly(x.r);
    return as_float(as_uint(y) ^ ((q & 2) << 30) ^ sign);
}

// |r| <= pi/4: 2^-25.7 relative
static float tan_poly(float r)
{
    float square = r * r, p = mad(square, 0x1.340164p-7f, 0x1.95e686p-9f);
    p = mad(square, p, 0x1.907d6ap-6f);
    p = mad(square, p, 0x1.b583e6p-5f);
    p = mad(square, p, 0x1.112dfp-3f);
    p = mad(square, p, 0x1.5554dep-2f);
    return mad(square * r, p, r);
}

// -1 / tan for odd quadrants
static float quick_tan(float x)
{
    struct quadrant reduced = quick_reduce(x);
    float p = tan_poly(fabs(reduced.r)), y = reduced.q & 1 ? -native_recip(p) : p;
    return as_float(as_uint(y) ^ (as_uint(reduced.r) & 0x80000000u));
}

static float tan_in(struct quadrant x, uint sign)
{
    float p = tan_poly(x.r);
    p = x.q & 1 ? -1.0f / p : p;
    return as_float(as_uint(p) ^ sign);
}

static uint sign_of(float x)
{
    return as_uint(x) & 0x80000000u;
}

// sin: 2.67 ULP at 0x1.611dc6p+19.
LIB float sin(float x)
{
    if (QUICK && fabs(x) < QUICK_LIMIT)
        return quick_sin_in(quick_reduce(x), 0);
    float y = sin_in(reduce(fabs(x)), 0, sign_of(x));
    return isfinite(x) ? y : NAN;
}

// cos: 2.67 ULP at 0x1.741f62p+29.
LIB float cos(float x)
{
    if (QUICK && fabs(x) < QUICK_LIMIT)
        return quick_sin_in(quick_reduce(x), 1);
    float y = sin_in(reduce(fabs(x)), 1, 0);
    return isfinite(x) ? y : NAN;
}

// tan: 3.63 ULP at 0x1.664192p+21.
LIB float tan(float x)
{
    if (QUICK && fabs(x) < QUICK_LIMIT)
        return quick_tan(x);
    float y = tan_in(reduce(fabs(x)), sign_of(x));
    return isfinite(x) ? y : NAN;
}

// x in units of pi/2; from 2^24 on every number is an even integer.
static struct quadrant reduce_pi(float x)
{
    struct quadrant result;
    x = x < 0x1p24f ? x : 0.0f;
    float halves = rint(x + x);
    result.q = (int)halves;
    result.r = (x - 0.5f * halves) * 0x1.921fb6p+1f;
    return result;
}

// Any size, branch-free: whole turns are removed first, and infinity becomes NaN.
static struct quadrant quick_reduce_pi(float x)
{
    struct quadrant result;
    x = mad(rint(0.5f * x), -2.0f, x);
    float shifted = mad(x, 2.0f, ROUNDER), halves = shifted - ROUNDER;
    result.q = as_int(shifted);
    result.r = mad(halves, -0.5f, x) * 0x1.921fb6p+1f;
    return result;
}

// sinpi: 1.95 ULP at -0x1.1485dap+0. Zeros have the argument's sign.
LIB float sinpi(float x)
{
    if (QUICK) {
        float quick = quick_sin_in(quick_reduce_pi(x), 0);
        return quick == 0.0f ? copysign(0.0f, x) : quick;
    }
    struct quadrant reduced = reduce_pi(fabs(x));
    float y = sin_in(reduced, 0, sign_of(x));
    y = y == 0.0f ? copysign(0.0f, x) : y;
    return isfinite(x) ? y : NAN;
}

// cospi: 1.98 ULP at -0x1.aded02p-2. Zeros are positive.
LIB float cospi(float x)
{
    if (QUICK)
        return quick_sin_in(quick_reduce_pi(x), 1) + 0.0f;
    float y = sin_in(reduce_pi(fabs(x)), 1, 0);
    y = y == 0.0f ? 0.0f : y;
    return isfinite(x) ? y : NAN;
}

// tanpi: 4.24 ULP at -0x1.3efbcep+0. At half-integers 1 / 0: infinity, positive after even integers, like the zeros.
LIB float tanpi(float x)
{
    struct quadrant reduced = reduce_pi(fabs(x));
    float r = fabs(reduced.r), s = sin_poly(r), c = cos_poly(r);
    uint turned = (reduced.q & 1) ? 0x80000000u : 0u, sign = sign_of(x);
    float y = turned ? c / s : s / c;
    y = as_float(as_uint(y) ^ turned ^ sign_of(reduced.r) ^ sign);
    // r is +0 there: the signs of zeros and infinities come from the quadrant.
    float at_zero = as_float((turned ? 0x7f800000u : 0u) | ((uint)(reduced.q & 2) << 30) ^ sign);
    y = r == 0.0f ? at_zero : y;
    return isfinite(x) ? y : NAN;
}

static OVERLOADED float sincos_of(float x, private float *cosine)
{
    if (QUICK && fabs(x) < QUICK_LIMIT) {
        struct quadrant quick = quick_reduce(x);
        *cosine = quick_sin_in(quick, 1);
        return quick_sin_in(quick, 0);
    }
    struct quadrant reduced = reduce(fabs(x));
    float s = sin_in(reduced, 0, sign_of(x)), c = sin_in(reduced, 1, 0);
    *cosine = isfinite(x) ? c : NAN;
    return isfinite(x) ? s : NAN;
}

POINTER_FORMS(sincos, float, float)

#ifdef cl_khr_fp16
POINTER_HALF(sincos, half, float)
POINTER_FORMS(sincos, half, half)
#endif
