// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1: Cody-Waite reduction, a polynomial, the power of two by its bits. The argument is clamped
// to just outside the range in which results are finite and not zero: the scale then overflows or underflows.
#include "lib.h"
#include "math/power.h"

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

// As quick_exp: h = x c, c a little below log2 10. Among such c, this one makes powers of ten exact on an H200,
// whatever the last 14 bits of the other constant, ln 2, are.
static float quick_exp10(float x)
{
    float h = x * 0x1.a934e8p+1f, rest = mad(h, 0x1.4b12cp-22f, mad(x, 0x1.a934e8p+1f, -h));
    return quick_power_of_e(h, rest * 0x1.62e43p-1f);
}

// exp10: 0.88 ULP at 0x1.0a306cp+5, the quick form 2.21 at -0x1.520e96p+3. Exact where the result is exactly representable.
LIB float exp10(float x)
{
    if (QUICK)
        return quick_exp10(x);
    struct two_floats parts = two_floats_of(limited(x, -47.0f, 39.0f)), t;
    t.high = parts.high * 0x1.a92p+1f;
    t.low = parts.low * 0x1.a934fp+1f + parts.high * 0x1.4f097ap-11f;
    return exp2_wide(t);
}

// expm1: 1.64 ULP at 0x1.88b2e8p-2. 2^k (e^r - 1) + (2^k - 1), both halved so that 2^k is finite for k = 128.
// Polynomial: 2^-26.1 relative.
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
