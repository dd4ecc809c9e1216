// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh, asinh, acosh, atanh of double: as for float (hyperbolic.cl), but tanh is a
// quotient of expm1.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/exp_double.h"
#include "math/log_double.h"

// e^r for r and -r from one reduction, |x| < 708: both powers of 2 are halved. cosh r - 1: 2^-57.3, sinh r: 2^-61.7
// relative (own minimax fits). The 1 of cosh r is added last, where the sum is exact.
struct powers_d {
    double up, down, cosh_rest, sinh;
};

static struct powers_d powers_of_d(double x)
{
    struct powers_d p;
    double shifted = mad(x, 0x1.71547652b82fep+0, ROUNDER_D), k = shifted - ROUNDER_D;
    double r = mad(k, -0x1.a39ef35793c76p-33, mad(k, -0x1.62e42feep-1, x)), z = r * r;
    double c = mad(z, 0x1.28a048e479c42p-22, 0x1.a019aa6e4905dp-16), s = mad(z, 0x1.af5ff65995a39p-26, 0x1.71ddf7af0574ap-19);
    c = mad(z, c, 0x1.6c16c17cffa52p-10);
    s = mad(z, s, 0x1.a01a01b0206cdp-13);
    c = mad(z, c, 0x1.555555555314ap-5);
    s = mad(z, s, 0x1.111111110f62ap-7);
    s = mad(z, s, 0x1.5555555555559p-3);
    p.cosh_rest = z * mad(z, c, 0.5);
    p.sinh = mad(z * r, s, r);
    uint exponent = as_uint2(shifted).x << 20;
    p.up = of_words(0, 0x3fe00000u + exponent);
    p.down = of_words(0, 0x3fe00000u - exponent);
    return p;
}

static double quick_sinh_d(double x)
{
    struct powers_d p = powers_of_d(x);
    double difference = p.up - p.down;
    return copysign(mad(difference, p.cosh_rest, (p.up + p.down) * p.sinh) + difference, x);
}

static double quick_cosh_d(double x)
{
    struct powers_d p = powers_of_d(x);
    double sum = p.up + p.down;
    return mad(sum, p.cosh_rest, (p.up - p.down) * p.sinh) + sum;
}

static bool is_moderate_d(double x)
{
    return (high_of(x) & 0x7fffffffu) < 0x40862000u; // 708
}

// sinh: 1.57 ULP at 0x1.6d09ee41e50d8p+0. Polynomial: 2^-61.5 relative (own minimax fit).
LIB double sinh(double x)
{
    if (QUICK && is_moderate_d(x))
        return quick_sinh_d(x);
    double size = fabs(x), half_exp = exp_wide_d(size, 0.0, -1), square = x * x;
    double p = mad(square, 0x1.b52ebddfb4fbp-41, 0x1.6118df7177367p-33);
    p = mad(square, p, 0x1.ae646b4d5f194p-26);
    p = mad(square, p, 0x1.71de3a40565e2p-19);
    p = mad(square, p, 0x1.a01a01a0318d8p-13);
    p = mad(square, p, 0x1.111111111104p-7);
    p = mad(square, p, 0x1.5555555555556p-3);
    p = mad(square * x, p, x);
    return size < 1.0 ? p : copysign(half_exp - 0.25 / half_exp, x);
}

// cosh: 1.34 ULP at -0x1.57e7ab5e7dfb8p+3.
LIB double cosh(double x)
{
    if (QUICK && is_moderate_d(x))
        return quick_cosh_d(x);
    double half_exp = exp_wide_d(fabs(x), 0.0, -1);
    return half_exp + 0.25 / half_exp;
}

// tanh: 2.16 ULP at -0x1.fa0d15b72f201p-7. From 20 on the result is 1.
LIB double tanh(double x)
{
    double size = fabs(x), t = expm1_finite_d(2.0 * (size > 20.0 ? 20.0 : size)), y = t / (t + 2.0);
    y = size > 20.0 ? 1.0 : y;
    return copysign(size < 0x1p-30 ? size : y, x);
}

// asinh: 1.53 ULP at 0x1.97523d03a7b6p-2.
LIB double asinh(double x)
{
    double size = fabs(x);
    bool large = size > 0x1p60;
    double in = large ? 1.0 : size, square = in * in;
    double inside = in + square / (1.0 + sqrt(1.0 + square));
    double y = log1p_sum_d(large ? size : inside, large ? 1.0 : 0.0);
    y = size < INFINITY && size > 0x1p-30 ? y : size;
    return copysign(y, x);
}

// acosh: 1.73 ULP at 0x1.1a9913436c44fp+0.
LIB double acosh(double x)
{
    bool large = x > 0x1p60;
    double t = (large ? 2.0 : x) - 1.0, inside = t + sqrt(2.0 * t + t * t);
    double y = log1p_sum_d(large ? x : inside, large ? 1.0 : 0.0);
    y = x < INFINITY ? y : x;
    y = x == 1.0 ? 0.0 : y;
    return x >= 1.0 ? y : NAN;
}

// atanh: 1.67 ULP at -0x1.956544807ebe8p-3.
LIB double atanh(double x)
{
    double size = fabs(x), y = 0.5 * log1p_sum_d(2.0 * size / (1.0 - size), 0.0);
    y = size < 0x1p-30 ? size : y;
    y = size < 1.0 ? y : size == 1.0 ? INFINITY : NAN;
    return copysign(y, x);
}
#endif
