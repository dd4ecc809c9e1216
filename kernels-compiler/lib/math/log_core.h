// SPDX-License-Identifier: Apache-2.0
// Shared by the logarithms: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), f exact.
#include "math/device.h"

struct log_reduced {
    float k, f;
};

// x > 0 and finite; for other x, log_result replaces the result.
static struct log_reduced log_reduce(float x)
{
    struct log_reduced l;
    bool tiny = x < 0x1p-126f;
    int bits = as_int(tiny ? x * 0x1p24f : x);
    int k = (bits - 0x3f3504f3) >> 23;
    l.f = as_float(bits - (k << 23)) - 1.0f;
    l.k = (float)(tiny ? k - 24 : k);
    return l;
}

// The same for x with is_usual(), returning 2^23 k: two operations fewer.
static struct log_reduced quick_log_reduce(float x)
{
    struct log_reduced l;
    int bits = as_int(x), top = (bits - 0x3f3504f3) & (int)0xff800000u;
    l.f = as_float(bits - top) - 1.0f;
    l.k = (float)top;
    return l;
}

// Special cases of the logarithm of x; y is the result for positive and finite x.
static float log_result(float x, float y)
{
    float other = x == 0.0f ? -INFINITY : NAN;
    y = x < INFINITY ? y : x;
    return x > 0.0f ? y : other;
}

// (log(1 + f) - f + f^2 / 2) / f^3; 2^-26.8 relative to the logarithm (own minimax fit)
static float log_poly(float f)
{
    float p = mad(f, -0x1.49419ap-4f, 0x1.0a01f8p-3f);
    p = mad(f, p, -0x1.0c485ap-3f);
    p = mad(f, p, 0x1.21f80ep-3f);
    p = mad(f, p, -0x1.547f5p-3f);
    p = mad(f, p, 0x1.99ada6p-3f);
    p = mad(f, p, -0x1.000218p-2f);
    return mad(f, p, 0x1.555534p-2f);
}

// f - log(1 + f)
static float log_tail(float f)
{
    float square = f * f;
    return 0.5f * square - f * square * log_poly(f);
}

static float log_of(float f) // 1 + f
{
    return mad(f * f, mad(f, log_poly(f), -0.5f), f);
}

static float quick_log(float x)
{
    struct log_reduced l = quick_log_reduce(x);
    return mad(l.k, 0x1.62e43p-24f, log_of(l.f));
}

// k ln 2 + log(1 + f); k * 0x1.62e4p-1f is exact.
static float log_sum(float k, float f)
{
    return k * 0x1.62e4p-1f - ((log_tail(f) - k * 0x1.7f7d1cp-20f) - f);
}

// log(1 + x) + more ln 2, x > -1 and finite: the rounding error of 1 + x is added to f.
static float log1p_sum(float x, float more)
{
    float sum = 1.0f + x;
    float lost = x > 1.0f ? 1.0f - (sum - x) : x - (sum - 1.0f);
    struct log_reduced l = log_reduce(sum);
    float f = l.f + lost * as_float((127 - (int)fmin(l.k, 64.0f)) << 23);
    f = l.k == 0.0f ? x : f;
    return log_sum(l.k + more, f);
}
