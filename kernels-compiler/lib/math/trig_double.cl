// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan, sincos and their pi forms of double: as for float (trig.cl), but the tangent is a quotient.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/pointers.h"
#include "math/scale_double.h"

#define ROUNDER_D 0x1.8p52
#define CODY_WAITE_LIMIT_D 1.6e6 // q < 2^20

struct quadrant_d {
    double r;
    int q;
};

// 2/pi, after a word of zeros
constant ulong two_over_pi[20] = {0,
                                  0xa2f9836e4e441529ul,
                                  0xfc2757d1f534ddc0ul,
                                  0xdb6295993c439041ul,
                                  0xfe5163abdebbc561ul,
                                  0xb7246e3a424dd2e0ul,
                                  0x06492eea09d1921cul,
                                  0xfe1deb1cb129a73eul,
                                  0xe88235f52ebb4484ul,
                                  0xe99c7026b45f7e41ul,
                                  0x3991d639835339f4ul,
                                  0x9c845f8bbdf9283bul,
                                  0x1ff897ffde05980ful,
                                  0xef2f118b5a0a6d1ful,
                                  0x6d367ecf27cb09b7ul,
                                  0x4f463f669e5fea2dul,
                                  0x7527bac7ebe5f17bul,
                                  0x3d0739f78a5292eaul,
                                  0x6bfb5fb11f8d5d08ul,
                                  0x56033046fc7b6babul};

static ulong bits_from_d(ulong first, ulong second, ulong offset)
{
    return (first << offset) | ((second >> 1) >> (63 - offset));
}

// x >= 2^20 and finite; 126 bits of the fraction of a quadrant remain.
static struct quadrant_d reduce_large_d(double x)
{
    ulong bits = as_ulong(x), m = (bits & 0xffffffffffffful) | 0x10000000000000ul,
          offset = (bits >> 52) - 1013;
    uint word = (uint)(offset >> 6);
    offset &= 63;
    ulong w1 = two_over_pi[word + 1], w2 = two_over_pi[word + 2];
    ulong a = bits_from_d(two_over_pi[word], w1, offset), b = bits_from_d(w1, w2, offset);
    ulong c = bits_from_d(w2, two_over_pi[word + 3], offset);
    ulong low = m * b + mul_hi(m, c), high = m * a + mul_hi(m, b) + (low < m * b);

    struct quadrant_d result;
    ulong q = (high + 0x2000000000000000ul) >> 62;
    high -= q << 62;
    ulong negative = (ulong)((long)high >> 63);
    high ^= negative;
    low ^= negative;
    bool far = high == 0;
    high = far ? low : high;
    low = far ? 0ul : low;
    int zeros = (int)clz(high);
    double rest = (double)bits_from_d(high, low, (ulong)zeros & 63) * 0x1.921fb54442d18p-62;
    rest *= power_of_two_d(far ? -zeros - 64 : -zeros);
    result.r = negative ? -rest : rest;
    result.q = (int)q;
    return result;
}

// x >= 0
static struct quadrant_d reduce_d(double x)
{
    struct quadrant_d result;
    if (x >= CODY_WAITE_LIMIT_D)
        return reduce_large_d(x);
    double shifted = x * 0x1.45f306dc9c883p-1 + ROUNDER_D, q = shifted - ROUNDER_D;
    result.q = (int)as_long(shifted);
    double r = mad(q, -0x1.0b4611a6p-34, mad(q, -0x1.921fb544p+0, x));
    result.r = mad(q, -0x1.b839a252049c1p-104, mad(q, -0x1.3198a2ep-69, r));
    return result;
}

// |r| <= pi/4: 2^-57.9 relative (own minimax fit)
static double sin_poly_d(double r)
{
    double square = r * r, p = mad(square, 0x1.5d8d6e1091ee7p-33, -0x1.ae5e52092adc8p-26);
    p = mad(square, p, 0x1.71de355c5f14p-19);
    p = mad(square, p, -0x1.a01a019befb93p-13);
    p = mad(square, p, 0x1.111111110f751p-7);
    p = mad(square, p, -0x1.5555555555548p-3);
    return mad(square * r, p, r);
}

// 2^-63.9; half of the square is subtracted from 1 in two steps, because its rounding error alone would be an ULP.
static double cos_poly_d(double r)
{
    double square = r * r, p = mad(square, -0x1.8fa5c165deabcp-37, 0x1.1ee9da88f4795p-29);
    p = mad(square, p, -0x1.27e4f7f008783p-22);
    p = mad(square, p, 0x1.a01a019c8d949p-16);
    p = mad(square, p, -0x1.6c16c16c1500cp-10);
    p = mad(square, p, 0x1.555555555554bp-5);
    double half_square = 0.5 * square, most = 1.0 - half_square;
    return most + (((1.0 - most) - half_square) + square * square * p);
}

static double sin_in_d(struct quadrant_d x, int turn, ulong sign)
{
    ulong q = (ulong)(uint)(x.q + turn);
    double y = q & 1 ? cos_poly_d(x.r) : sin_poly_d(x.r);
    return as_double(as_ulong(y) ^ ((q & 2) << 62) ^ sign);
}

static ulong sign_of_d(double x)
{
    return as_ulong(x) & 0x8000000000000000ul;
}

// sin: 2.38 ULP at 0x1.f94c0d7ee3057p+505.
LIB double sin(double x)
{
    double y = sin_in_d(reduce_d(fabs(x)), 0, sign_of_d(x));
    return isfinite(x) ? y : NAN;
}

// cos: 2.04 ULP at -0x1.4e27269e7a6acp+199.
LIB double cos(double x)
{
    double y = sin_in_d(reduce_d(fabs(x)), 1, 0);
    return isfinite(x) ? y : NAN;
}

// tan: 3.75 ULP at 0x1.7cec66b5b8574p+24.
LIB double tan(double x)
{
    struct quadrant_d reduced = reduce_d(fabs(x));
    double s = sin_poly_d(reduced.r), c = cos_poly_d(reduced.r);
    double y = reduced.q & 1 ? -c / s : s / c;
    y = as_double(as_ulong(y) ^ sign_of_d(x));
    return isfinite(x) ? y : NAN;
}

// x in units of pi/2; from 2^53 on every number is an even integer.
static struct quadrant_d reduce_pi_d(double x)
{
    struct quadrant_d result;
    x = x < 0x1p53 ? x : 0.0;
    double halves = rint(x + x);
    result.q = (int)(long)halves;
    result.r = (x - 0.5 * halves) * 0x1.921fb54442d18p+1;
    return result;
}

// sinpi: 1.71 ULP at 0x1.fbee851a44d65p+18.
LIB double sinpi(double x)
{
    double y = sin_in_d(reduce_pi_d(fabs(x)), 0, sign_of_d(x));
    y = y == 0.0 ? copysign(0.0, x) : y;
    return isfinite(x) ? y : NAN;
}

// cospi: 1.7 ULP at 0x1.52ec14363907p-1.
LIB double cospi(double x)
{
    double y = sin_in_d(reduce_pi_d(fabs(x)), 1, 0);
    y = y == 0.0 ? 0.0 : y;
    return isfinite(x) ? y : NAN;
}

// tanpi: 3.31 ULP at 0x1.ff7157dba734p-3.
LIB double tanpi(double x)
{
    struct quadrant_d reduced = reduce_pi_d(fabs(x));
    double r = fabs(reduced.r), s = sin_poly_d(r), c = cos_poly_d(r);
    ulong turned = (reduced.q & 1) ? 0x8000000000000000ul : 0ul, sign = sign_of_d(x);
    double y = turned ? c / s : s / c;
    y = as_double(as_ulong(y) ^ turned ^ sign_of_d(reduced.r) ^ sign);
    double at_zero =
        as_double(((turned ? 0x7ff0000000000000ul : 0ul) | ((ulong)(reduced.q & 2) << 62)) ^ sign);
    y = r == 0.0 ? at_zero : y;
    return isfinite(x) ? y : NAN;
}

static OVERLOADED double sincos_of(double x, private double *cosine)
{
    struct quadrant_d reduced = reduce_d(fabs(x));
    double s = sin_in_d(reduced, 0, sign_of_d(x)), c = sin_in_d(reduced, 1, 0);
    *cosine = isfinite(x) ? c : NAN;
    return isfinite(x) ? s : NAN;
}

POINTER_FORMS(sincos, double, double)
#endif
