// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh: from e^x, halved or doubled by its scale so that it overflows only if the result does; near 0 odd
// polynomials (own minimax fits). asinh, acosh, atanh: from log1p, which preserves small arguments.
#include "lib.h"
#include "math/exp_core.h"
#include "math/log_core.h"

// |x| < 1; 2^-25.3 relative
static float sinh_poly(float x)
{
    float square = x * x, p = mad(square, 0x1.ab3fdp-13f, 0x1.10f768p-7f);
    p = mad(square, p, 0x1.555598p-3f);
    return mad(square * x, p, x);
}

// |x| < 88: e^x in two parts, to reduce the rounding error of the difference; the inverse need not be exact.
static float quick_sinh(float x)
{
    float size = fabs(x), h = size * 0x1.715474p+0f, half_exp = 0.5f * native_exp2(h);
    float rest = mad(h, 0x1.05c61p-29f, mad(h, -0x1.62e43p-1f, size));
    float root = native_rsqrt(half_exp), far = mad(-0.25f * root, root, half_exp);
    return size < 1.0f ? sinh_poly(x) : copysign(mad(half_exp, rest, far), x);
}

static float quick_cosh(float x)
{
    float half_exp = 0.5f * quick_exp(fabs(x));
    return half_exp + quick_quotient(0.25f, half_exp);
}

// |x| < 5/8; 2^-27.1 relative
static float tanh_poly(float size)
{
    float square = size * size, p = mad(square, -0x1.696b9cp-8f, 0x1.4f5dap-6f);
    p = mad(square, p, -0x1.b7cfbap-5f);
    p = mad(square, p, 0x1.1103fp-3f);
    p = mad(square, p, -0x1.555524p-2f);
    return mad(square * size, p, size);
}

// From 5/8 on, e^2x may have an error of 4 ULP, for either sign of x; below it, 1 + x^2 p preserves the sign of zero.
static float quick_tanh(float x)
{
    float square = x * x, p = mad(square, -0x1.696b9cp-8f, 0x1.4f5dap-6f);
    p = mad(square, p, -0x1.b7cfbap-5f);
    p = mad(square, p, 0x1.1103fp-3f);
    p = mad(square, p, -0x1.555524p-2f);
    float far = mad(-2.0f, native_recip(native_exp2(x * 0x1.715476p+1f) + 1.0f), 1.0f), near = x * mad(square, p, 1.0f);
    return fabs(x) < 0.625f ? near : far;
}

// sinh: 2.95 ULP at 0x1.3b0c18p+0.
LIB float sinh(float x)
{
    float size = fabs(x);
    if (QUICK && size < 88.0f)
        return quick_sinh(x);
    float half_exp = exp_wide(size, 0.0f, -1);
    return size < 1.0f ? sinh_poly(x) : copysign(half_exp - 0.25f / half_exp, x);
}

// cosh: 2.77 ULP at 0x1.7cb674p+2.
LIB float cosh(float x)
{
    if (QUICK && fabs(x) < 85.0f)
        return quick_cosh(x);
    float half_exp = exp_wide(fabs(x), 0.0f, -1);
    return half_exp + 0.25f / half_exp;
}

// tanh: 1.81 ULP at -0x1.4222dep-1, the quick form 4 at -0x1.826dbcp+0. From 10 on the result is 1.
LIB float tanh(float x)
{
    if (QUICK)
        return quick_tanh(x);
    float size = fabs(x), twice = 2.0f * (size > 10.0f ? 10.0f : size);
    float far = 1.0f - 2.0f / (exp_wide(twice, 0.0f, 0) + 1.0f);
    return copysign(size < 0.625f ? tanh_poly(size) : far, x);
}

// asinh: 1.7 ULP at 0x1.815778p-2. log1p(x + x^2 / (1 + sqrt(1 + x^2))); log 2x if the square could overflow.
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
