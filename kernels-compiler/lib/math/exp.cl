// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1: Cody-Waite reduction, a polynomial, the power of two by its bits.
// Outside the range where results are finite and not zero the argument is limited: the scale
// overflows or vanishes by itself.
#include "lib.h"
#include "math/exp_core.h"

// See quick_exp().
static float quick_exp10(float x)
{
    float h = x * 0x1.a934eep+1f, rest = mad(h, 0x1.ec10cp-27f, mad(h, -0x1.344136p-2f, x));
    return quick_power_of_e(h, rest * 0x1.26bb1cp+1f);
}

// exp: 2.41 ULP at 0x1.199a7ap+6.
LIB float exp(float x)
{
    if (QUICK)
        return quick_exp(x);
    struct exp_reduced e = exp_reduce(limited(x, -104.0f, 89.0f));
    return scale(exp_poly(e.r), e.k);
}

// exp2: 2.15 ULP at 0x1.3c8f06p+5.
LIB float exp2(float x)
{
    if (QUICK)
        return native_exp2(x);
    x = limited(x, -151.0f, 129.0f);
    float shifted = x + ROUNDER;
    return scale(exp2_poly(x - (shifted - ROUNDER)), as_int(shifted) - as_int(ROUNDER));
}

// exp10: 2.24 ULP at -0x1.3b138ep+4. Polynomial on |r| <= log10(2) / 2: 2^-23.4 relative.
LIB float exp10(float x)
{
    if (QUICK)
        return quick_exp10(x);
    x = limited(x, -46.0f, 39.0f);
    float shifted = x * 0x1.a934fp+1f + ROUNDER, k = shifted - ROUNDER;
    float r = (x - k * 0x1.344p-2f) - k * 0x1.3509f8p-18f;
    float p = mad(r, 0x1.12b5c8p-1f, 0x1.2d81a4p0f);
    p = mad(r, p, 0x1.047448p1f);
    p = mad(r, p, 0x1.5350d2p1f);
    p = mad(r, mad(r, p, 0x1.26bb16p1f), 1.0f);
    return scale(p, as_int(shifted) - as_int(ROUNDER));
}

// expm1: 1.64 ULP at 0x1.88b2e8p-2. 2^k (e^r - 1) + (2^k - 1), both halved so that k = 128 has a
// power of two. Polynomial: 2^-26.1 relative.
LIB float expm1(float x)
{
    struct exp_reduced e = exp_reduce(limited(x, -18.0f, 89.0f));
    float r = e.r, p = mad(r, 0x1.6b7376p-10f, 0x1.12279ep-7f);
    p = mad(r, p, 0x1.555716p-5f);
    p = mad(r, p, 0x1.5554bp-3f);
    p = mad(r, p, 0x1.fffffep-2f);
    p = mad(r * r, p, r);
    float half_power = power_of_two(e.k - 1);
    float result = 2.0f * (half_power * p + (half_power - 0.5f));
    return fabs(x) < 0x1p-24f ? x : result;
}
