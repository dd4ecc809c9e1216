// SPDX-License-Identifier: Apache-2.0
// log_core.h for double, with log(1 + f) = 2 s + s^3 P(s^2), s = f / (2 + f), because a polynomial in f would be
// twice as long.

#include "math/device.h"

struct log_reduced_d {
    double k, f;
};

// Positive, normal and finite
static bool is_usual_d(double x)
{
    return high_of(x) - 0x00100000u < 0x7fe00000u;
}

// For these: the upper word is that of the mantissa, 0.707 .. 1.415, and of 2^k
static struct log_reduced_d quick_log_reduce_d(double x)
{
    struct log_reduced_d l;
    uint high = high_of(x);
    int k = (int)(high - 0x3fe6a09eu) >> 20;
    l.f = of_words(as_uint2(x).x, high - ((uint)k << 20)) - 1.0;
    l.k = (double)k;
    return l;
}

// x > 0 and finite, with the same k and f as above; for other x, log_result_d replaces the result.
static struct log_reduced_d log_reduce_d(double x)
{
    struct log_reduced_d l;
    bool tiny = x < 0x1p-1022;
    long bits = as_long(tiny ? x * 0x1p54 : x), k = (bits - 0x3fe6a09e00000000l) >> 52;
    l.f = as_double(bits - (k << 52)) - 1.0;
    l.k = (double)((int)k - (tiny ? 54 : 0));
    return l;
}

static double log_result_d(double x, double y)
{
    double other = x == 0.0 ? -INFINITY : NAN;
    y = x < INFINITY ? y : x;
    return x > 0.0 ? y : other;
}

// f - log(1 + f) = f^2/2 - s (f^2/2 + s^2 P(s^2)); P: 2^-51 relative, its term is below a hundredth (own minimax fit)
static double log_tail_d(double f)
{
    double minus_s = QUICK ? f * quick_minus_inverse_d(2.0 + f) : f / (-2.0 - f), square = minus_s * minus_s, half_square = 0.5 * f * f;
    double p = mad(square, 0x1.2b5936b07b5f4p-3, 0x1.39fe5041a59bdp-3);
    p = mad(square, p, 0x1.7462b4feb5ecfp-3);
    p = mad(square, p, 0x1.c71c62e56b2d9p-3);
    p = mad(square, p, 0x1.2492492def90dp-2);
    p = mad(square, p, 0x1.999999999531dp-2);
    p = mad(square, p, 0x1.5555555555558p-1);
    return mad(minus_s, mad(square, p, half_square), half_square);
}

// k ln 2 + log(1 + f); k * 0x1.62e42feep-1 is exact.
static double log_sum_d(double k, double f)
{
    return mad(k, 0x1.62e42feep-1, f - mad(k, -0x1.a39ef35793c76p-33, log_tail_d(f)));
}

// log(1 + x) + more ln 2, x > -1 and finite: the rounding error of 1 + x is added to f.
static double log1p_sum_d(double x, double more)
{
    double sum = 1.0 + x;
    double lost = x > 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0);
    struct log_reduced_d l = log_reduce_d(sum);
    double f = l.f + lost * as_double((long)(1023 - (int)fmin(l.k, 200.0)) << 52);
    f = l.k == 0.0 ? x : f;
    return log_sum_d(l.k + more, f);
}
