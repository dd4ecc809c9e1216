// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh, asinh, acosh, atanh of double: as for float (hyperbolic.cl), but tanh is a quotient of expm1.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/exp_double.h"
#include "math/log_double.h"

// sinh. Polynomial: 2^-61.5 relative (own minimax fit).
LIB double sinh(double x)
{
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

// cosh.
LIB double cosh(double x)
{
    double half_exp = exp_wide_d(fabs(x), 0.0, -1);
    return half_exp + 0.25 / half_exp;
}

// tanh. From 20 on the result is 1.
LIB double tanh(double x)
{
    double size = fabs(x), t = expm1_finite_d(2.0 * (size > 20.0 ? 20.0 : size)), y = t / (t + 2.0);
    y = size > 20.0 ? 1.0 : y;
    return copysign(size < 0x1p-30 ? size : y, x);
}

// asinh.
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

// acosh.
LIB double acosh(double x)
{
    bool large = x > 0x1p60;
    double t = (large ? 2.0 : x) - 1.0, inside = t + sqrt(2.0 * t + t * t);
    double y = log1p_sum_d(large ? x : inside, large ? 1.0 : 0.0);
    y = x < INFINITY ? y : x;
    y = x == 1.0 ? 0.0 : y;
    return x >= 1.0 ? y : NAN;
}

// atanh.
LIB double atanh(double x)
{
    double size = fabs(x), y = 0.5 * log1p_sum_d(2.0 * size / (1.0 - size), 0.0);
    y = size < 0x1p-30 ? size : y;
    y = size < 1.0 ? y : size == 1.0 ? INFINITY : NAN;
    return copysign(y, x);
}
#endif
