// SPDX-License-Identifier: Apache-2.0
// Shared by the exponential functions: x = k ln 2 + r, |r| <= ln 2 / 2, and polynomials in r (own minimax fits).
#include "math/device.h"
#include "math/scale.h"

// Adding and subtracting it rounds to an integer, which is then in the lowest bits: no conversions, and NaN is
// preserved.
#define ROUNDER 0x1.8p23f

struct exp_reduced {
    int k;
    float r;
};

// |x| <= 2^15; k * 0x1.62e4p-1f is exact up to |k| < 2^9.
static struct exp_reduced exp_reduce(float x)
{
    struct exp_reduced e;
    float shifted = x * 0x1.715476p+0f + ROUNDER, k = shifted - ROUNDER;
    e.k = as_int(shifted) - as_int(ROUNDER);
    e.r = mad(k, -0x1.7f7d1cp-20f, mad(k, -0x1.62e4p-1f, x));
    return e;
}

// e^r; 2^-23.2 relative
static float exp_poly(float r)
{
    float p = mad(r, 0x1.1061e6p-7f, 0x1.572a3p-5f);
    p = mad(r, p, 0x1.5557bp-3f);
    p = mad(r, p, 0x1.fffdfcp-2f);
    return mad(r, mad(r, p, 1.0f), 1.0f);
}

// 2^r, |r| <= 1/2; 2^-23.3 relative
static float exp2_poly(float r)
{
    float p = mad(r, 0x1.5bfc72p-10f, 0x1.3ceb06p-7f);
    p = mad(r, p, 0x1.c6b69cp-5f);
    p = mad(r, p, 0x1.ebf9bap-3f);
    return mad(r, mad(r, p, 0x1.62e42ap-1f), 1.0f);
}

static float limited(float x, float low, float high) // NaN is preserved
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

// The quick form of e^(x + low): 2^h by the device, h = x log2 e shortened, and the difference to first order. With
// the constant below its true value the difference is never negative for positive x, so that infinity is preserved;
// min() turns NaN to 1, where 2^h is zero, infinity or NaN already.
static float quick_power_of_e(float h, float rest)
{
    float y = native_exp2(h);
    return mad(y, min(rest, 1.0f), y);
}

static float quick_exp(float x)
{
    float h = x * 0x1.715474p+0f;
    return quick_power_of_e(h, mad(h, 0x1.05c61p-29f, mad(h, -0x1.62e43p-1f, x)));
}

// e^(x + low) * 2^more: |low| is small, |more| <= 2
static float exp_wide(float x, float low, int more)
{
    if (QUICK && more == 0) {
        float h = x * 0x1.715474p+0f;
        return quick_power_of_e(h, mad(h, 0x1.05c61p-29f, mad(h, -0x1.62e43p-1f, x) + low));
    }
    struct exp_reduced e = exp_reduce(limited(x, -106.0f, 91.0f));
    return scale(exp_poly(e.r + low), e.k + more);
}
