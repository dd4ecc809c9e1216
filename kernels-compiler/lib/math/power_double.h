// SPDX-License-Identifier: Apache-2.0
// power.h for double.
#include "math/exp_double.h"

struct two_doubles {
    double high, low; // `high` has 26 bits where it is multiplied without a fused multiply-add
};

static struct two_doubles two_doubles_of(double x)
{
    struct two_doubles r;
    r.high = leading_d(x);
    r.low = x - r.high;
    return r;
}

// (2^r - 1 - r ln 2) / r^2, |r| <= 0.5005; 2^-57.9 of 2^r (own minimax fit)
static double exp2_tail_d(double r)
{
    double p = mad(r, 0x1.e7c099e8bd5bfp-32, 0x1.e61820955cf88p-28);
    p = mad(r, p, 0x1.b52657c28edaap-24);
    p = mad(r, p, 0x1.62bfc9c2582f7p-20);
    p = mad(r, p, 0x1.ffcbfbc52168cp-17);
    p = mad(r, p, 0x1.4309130dd422bp-13);
    p = mad(r, p, 0x1.5d87fe78c4088p-10);
    p = mad(r, p, 0x1.3b2ab6fba076ep-7);
    p = mad(r, p, 0x1.c6b08d704a043p-5);
    return mad(r, p, 0x1.ebfbdff82c5a1p-3);
}

// 2^r, r = rest + low: the error before the last rounding is within 0.14 ULP. The product of the leading 12 bits a of
// r and those of ln 2 (40), and 1 + a ln 2, are exact.
static double exp2_of_sum_d(double rest, double low)
{
    double r = rest + low, a = (r + 0x1.8p40) - 0x1.8p40, b = (rest - a) + low;
    double p = mad(r * r, exp2_tail_d(r), mad(b, 0x1.62e42fefa39efp-1, a * 0x1.9ef35793c7673p-41));
    return p + mad(a, 0x1.62e42fefa2p-1, 1.0);
}

// 2^(high + low), any size, |low| < 2^-8: 0.64 ULP. `high` has 53 bits, so that its fractional part is exact.
static double exp2_wide_d(struct two_doubles t)
{
    double sum = t.high + t.low, most = limited_d(sum, -1080.0, 1026.0);
    double high = most == sum ? t.high : most, low = most == sum ? t.low : 0.0;
    double shifted = most + ROUNDER_D;
    return scale_d(exp2_of_sum_d(high - (shifted - ROUNDER_D), low), (int)(as_long(shifted) - as_long(ROUNDER_D)));
}

// 1 / x from the device's reciprocal square root of floats and one step, x in 2^-100 .. 2^100: 2^-42 relative
static double near_inverse_d(double x)
{
    float root = native_rsqrt((float)x);
    double start = root * root;
    return mad(mad(-x, start, 1.0), start, start);
}

// p 2^k by the bits, if that is normal
static double quick_scale_d(double p, uint k)
{
    uint2 words = as_uint2(p);
    words.y += k << 20;
    return as_double(words);
}

// The same for |high| < 1020
static double quick_exp2_wide_d(struct two_doubles t)
{
    double shifted = t.high + ROUNDER_D, p = exp2_of_sum_d(t.high - (shifted - ROUNDER_D), t.low);
    return quick_scale_d(p, as_uint2(shifted).x); // the low word of ROUNDER_D itself is zero
}
