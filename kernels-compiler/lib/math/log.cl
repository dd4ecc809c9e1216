// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p: polynomials in f (own minimax fits) and k times the logarithm of 2 in two parts.
#include "lib.h"
#include "math/log_core.h"

// log: 0.92 ULP at 0x1.69f458p-1.
LIB float log(float x)
{
    if (QUICK && is_usual(x))
        return quick_log(x);
    struct log_reduced l = log_reduce(x);
    return log_result(x, log_sum(l.k, l.f));
}

// log2(1 + f) / f; 2^-25.0 relative
static float log2_poly(float f)
{
    float p = mad(f, 0x1.027862p-3f, -0x1.a812ccp-3f);
    p = mad(f, p, 0x1.b9402cp-3f);
    p = mad(f, p, -0x1.e9655ep-3f);
    p = mad(f, p, 0x1.26dccep-2f);
    p = mad(f, p, -0x1.715c5p-2f);
    p = mad(f, p, 0x1.ec736ep-2f);
    p = mad(f, p, -0x1.71547p-1f);
    return mad(f, p, 0x1.715476p0f);
}

// log2: 1.96 ULP at 0x1.6462c2p+0.
LIB float log2(float x)
{
    if (QUICK && is_usual(x)) {
        struct log_reduced l = quick_log_reduce(x);
        return mad(l.k, 0x1p-23f, l.f * log2_poly(l.f));
    }
    struct log_reduced l = log_reduce(x);
    return log_result(x, l.f * log2_poly(l.f) + l.k);
}

// log10(1 + f) / f; 2^-24.4 relative
static float log10_poly(float f)
{
    float p = mad(f, 0x1.35c2ccp-5f, -0x1.003644p-4f);
    p = mad(f, p, 0x1.0a6e14p-4f);
    p = mad(f, p, -0x1.268b5p-4f);
    p = mad(f, p, 0x1.62f07cp-4f);
    p = mad(f, p, -0x1.bcc1bep-4f);
    p = mad(f, p, 0x1.287ccap-3f);
    p = mad(f, p, -0x1.bcb7aap-3f);
    return mad(f, p, 0x1.bcb7bp-2f);
}

// log10: 1.82 ULP at 0x1.fedadep-1. k * 0x1.344p-2f is exact.
LIB float log10(float x)
{
    if (QUICK && is_usual(x)) {
        struct log_reduced l = quick_log_reduce(x);
        return mad(l.k, 0x1.344136p-25f, mad(l.k, -0x1.ec10cp-50f, l.f * log10_poly(l.f)));
    }
    struct log_reduced l = log_reduce(x);
    return log_result(x,
                      l.k * 0x1.344p-2f + (l.f * log10_poly(l.f) + l.k * 0x1.3509f8p-18f));
}

// 1 + f rounded once, computed from x. If 1 + x is large, infinite or not positive, the device's logarithm is used.
// Branch-free; the result has the sign of x except for NaN.
static float quick_log1p(float x)
{
    float sum = 1.0f + x, other = native_log2(sum) * 0x1.62e43p-1f;
    int top = (as_int(sum) - 0x3f3504f3) & (int)0xff800000u;
    float power = as_float(0x3f800000 - top), f = mad(x, power, power - 1.0f);
    float y = mad((float)top, 0x1.62e43p-24f, log_of(f));
    y = as_uint(sum) - 1u < 0x7dffffffu ? y : other;
    return as_float(as_uint(y) | (as_uint(x) & 0x80000000u));
}

// log1p: 1.41 ULP at 0x1.bcfb42p-2.
LIB float log1p(float x)
{
    if (QUICK)
        return quick_log1p(x);
    float y = log_result(1.0f + x, log1p_sum(x, 0.0f));
    return x == 0.0f ? x : y;
}
