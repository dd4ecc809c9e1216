// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh: from e^x, halved or doubled by its scale so that it overflows only where the
// result does; near 0 odd polynomials (own minimax fits). asinh, acosh, atanh: from log1p, whose
// argument keeps what is small.
#include "lib.h"
#include "math/exp_core.h"
#include "math/log_core.h"

// sinh: 2.95 ULP at 0x1.3b0c18p+0. Polynomial: 2^-25.3 relative.
LIB float sinh(float x)
{
    float size = fabs(x), half_exp = exp_wide(size, 0.0f, -1), square = x * x;
    float p = mad(square, 0x1.ab3fdp-13f, 0x1.10f768p-7f);
    p = mad(square, p, 0x1.555598p-3f);
    p = mad(square * x, p, x);
    return size < 1.0f ? p : copysign(half_exp - 0.25f / half_exp, x);
}

// cosh: 2.77 ULP at 0x1.7cb674p+2.
LIB float cosh(float x)
{
    float half_exp = exp_wide(fabs(x), 0.0f, -1);
    return half_exp + 0.25f / half_exp;
}

// tanh: 1.81 ULP at -0x1.4222dep-1. Polynomial: 2^-27.1 relative. From 10 on the result is 1.
LIB float tanh(float x)
{
    float size = fabs(x), twice = 2.0f * (size > 10.0f ? 10.0f : size), square = x * x;
    float p = mad(square, -0x1.696b9cp-8f, 0x1.4f5dap-6f);
    p = mad(square, p, -0x1.b7cfbap-5f);
    p = mad(square, p, 0x1.1103fp-3f);
    p = mad(square, p, -0x1.555524p-2f);
    p = mad(square * size, p, size);
    return copysign(size < 0.625f ? p : 1.0f - 2.0f / (exp_wide(twice, 0.0f, 0) + 1.0f), x);
}

// asinh: 1.7 ULP at 0x1.815778p-2. log1p(x + x^2 / (1 + sqrt(1 + x^2))); log 2x where the square
// could overflow.
LIB float asinh(float x)
{
    float size = fabs(x);
    bool large = size > 0x1p30f;
    float in = large ? 1.0f : size, square = in * in;
    float inside = in + square / (1.0f + sqrt(1.0f + square));
    float y = log1p_sum(large ? size : inside, large ? 1.0f : 0.0f);
    y = size < INFINITY && size > 0x1p-12f ? y : size;
    return copysign(y, x);
}

// acosh: 1.99 ULP at 0x1.01fbc2p+0. log1p(t + sqrt(2 t + t^2)), t = x - 1
LIB float acosh(float x)
{
    bool large = x > 0x1p30f;
    float t = (large ? 2.0f : x) - 1.0f, inside = t + sqrt(2.0f * t + t * t);
    float y = log1p_sum(large ? x : inside, large ? 1.0f : 0.0f);
    y = x < INFINITY ? y : x;
    y = x == 1.0f ? 0.0f : y;
    return x >= 1.0f ? y : NAN;
}

// atanh: 2.08 ULP at -0x1.7af294p-3. log1p(2 x / (1 - x)) / 2
LIB float atanh(float x)
{
    float size = fabs(x), y = 0.5f * log1p_sum(2.0f * size / (1.0f - size), 0.0f);
    y = size < 0x1p-12f ? size : y;
    y = size < 1.0f ? y : size == 1.0f ? INFINITY : NAN;
    return copysign(y, x);
}
