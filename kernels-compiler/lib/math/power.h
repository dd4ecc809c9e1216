// SPDX-License-Identifier: Apache-2.0
// Numbers as sums of two floats, and 2 to such a power: needed for results that are exact whenever representable.
#include "math/exp_core.h"

struct two_floats {
    float high, low; // `high` has 12 bits where it is multiplied without a fused multiply-add
};

static struct two_floats two_floats_of(float x)
{
    struct two_floats r;
    r.high = leading(x);
    r.low = x - r.high;
    return r;
}

// (2^r - 1 - r ln 2) / r^2, |r| <= 0.502; 2^-28.2 of 2^r (own minimax fit)
static float exp2_tail(float r)
{
    float p = mad(r, 0x1.41774p-13f, 0x1.5f070ap-10f);
    p = mad(r, p, 0x1.3b2dd8p-7f);
    p = mad(r, p, 0x1.c6af84p-5f);
    return mad(r, p, 0x1.ebfbdcp-3f);
}

// 2^(high + low), any size, |low| < 2^-4: 0.63 ULP. `high` has 24 bits, so that its fractional part is exact. The
// product of its leading bits a and those of ln 2, and 1 + a ln 2, are exact as well; everything else is below
// 2^-3.9.
static float exp2_wide(struct two_floats t)
{
    float sum = t.high + t.low, most = limited(sum, -152.0f, 130.0f);
    float high = most == sum ? t.high : most, low = most == sum ? t.low : 0.0f;
    float shifted = most + ROUNDER, rest = high - (shifted - ROUNDER);
    float r = rest + low, a = (r + 0x1.8p15f) - 0x1.8p15f, b = (rest - a) + low;
    float p = mad(r * r, exp2_tail(r), mad(b, 0x1.62e43p-1f, a * 0x1.0bfbe8p-15f));
    p += mad(a, 0x1.62ep-1f, 1.0f);
    return scale(p, as_int(shifted) - as_int(ROUNDER));
}

// The same if fma is fused, |high| < 125 and |low| < 2^-16
static float quick_exp2_wide(struct two_floats t)
{
    float shifted = t.high + ROUNDER, r = (t.high - (shifted - ROUNDER)) + t.low;
    float p = mad(r, 0x1.3fbc78p-13f, 0x1.5f0f82p-10f);
    p = mad(r, p, 0x1.3b308cp-7f);
    p = mad(r, p, 0x1.c6af7p-5f);
    p = mad(r, p, 0x1.ebfbd8p-3f);
    p = mad(r, mad(r, p, 0x1.62e43p-1f), 1.0f);
    return as_float(as_int(p) + (as_int(shifted) << 23)); // ROUNDER's own bits are shifted out
}
