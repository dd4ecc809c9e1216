// SPDX-License-Identifier: Apache-2.0
// tgamma: a polynomial for Gamma(1 + f), 0 <= f <= 1 (own minimax fit), and the exact factors that lead to x. lgamma:
// a polynomial about 2, where the logarithm has its zero, factors again, and from 8 on Stirling's series; negative x
// by reflection.
#include "lib.h"
#include "math/log_core.h"

// 2^-27.3 relative
static float gamma_poly(float f)
{
    float p = mad(f, 0x1.13aaeap-6f, -0x1.b9afc4p-4f);
    p = mad(f, p, 0x1.47baa8p-2f);
    p = mad(f, p, -0x1.325b3cp-1f);
    p = mad(f, p, 0x1.a5fbf8p-1f);
    p = mad(f, p, -0x1.dd7a9ap-1f);
    p = mad(f, p, 0x1.f1d562p-1f);
    p = mad(f, p, -0x1.d014ccp-1f);
    p = mad(f, p, 0x1.fa5d34p-1f);
    p = mad(f, p, -0x1.27889ep-1f);
    return mad(f, p, 1.0f);
}

// x in 2^-100 .. 36: factors in pairs, and a division only if x < 1.
static float quick_tgamma(float x)
{
    if (x < 1.0f)
        return quick_quotient(gamma_poly(x), x);
    float factor = x - 1.0f, even = 1.0f, odd = 1.0f;
    for (; factor >= 2.0f; factor -= 2.0f) {
        even *= factor;
        odd *= factor - 1.0f;
    }
    bool more = factor >= 1.0f;
    even *= more ? factor : 1.0f;
    return gamma_poly(more ? factor - 1.0f : factor) * even * odd;
}

// tgamma: 10.5 ULP at -0x1.050c8ap+5. Two products, because one would overflow when the result is denormal.
LIB float tgamma(float x)
{
    if (QUICK && x >= 0x1p-100f && x <= 36.0f)
        return quick_tgamma(x);
    float whole = floor(x);
    bool up = x >= 1.0f, far = x > 36.0f || x < -44.0f;
    float f = far ? 0.0f : x - whole, step = up ? -1.0f : 1.0f, factor = up ? x - 1.0f : x;
    int count = far ? 0 : (int)(up ? whole - 1.0f : 1.0f - whole);
    float even = 1.0f, odd = 1.0f;
    for (; count > 1; count -= 2) {
        even *= factor;
        odd *= factor + step;
        factor += 2.0f * step;
    }
    even *= count > 0 ? factor : 1.0f;
    float g = gamma_poly(f), y = up ? g * even * odd : g / even / odd;
    float vanished = 0.5f * whole == trunc(0.5f * whole) ? 0.0f : -0.0f;
    y = far ? (x > 0.0f ? INFINITY : vanished) : y;
    y = x == whole && x < 0.0f ? NAN : y;
    return isnan(x) ? x : y;
}

// log Gamma(2 + t), |t| <= 1/2; 2^-28.7 relative
static float lgamma_poly(float t)
{
    float p = mad(t, -0x1.1af64cp-12f, 0x1.2ac01p-11f);
    p = mad(t, p, -0x1.34c39ep-10f);
    p = mad(t, p, 0x1.795d2p-9f);
    p = mad(t, p, -0x1.e42476p-8f);
    p = mad(t, p, 0x1.51357ep-6f);
    p = mad(t, p, -0x1.13dfecp-4f);
    p = mad(t, p, 0x1.4a34ccp-2f);
    return t * mad(t, p, 0x1.b0ee6p-2f);
}

// scale * (log(argument) - shift) + rest: a single logarithm, which dominates the cost.
static float lgamma_positive(float x)
{
    float scale = 1.0f, argument = x, shift = 0.0f, rest;
    if (x >= 8.0f) {
        float inverse = 1.0f / x, square = inverse * inverse;
        float series =
            inverse * mad(square, mad(square, 0x1.a01a02p-11f, -0x1.6c16c2p-9f), 0x1.555556p-4f);
        scale = x - 0.5f;
        shift = 1.0f;
        rest = 0x1.acfe3ap-2f + series;
    } else {
        float nearest = x < 0.5f ? 0.0f : fmax(rint(x), 1.0f);
        rest = lgamma_poly(x - nearest);
        if (nearest <= 1.0f) {
            scale = -1.0f;
            argument = nearest == 0.0f ? x + x * x : x;
        } else {
            argument = 1.0f;
            for (; nearest > 2.0f; nearest -= 1.0f) {
                x -= 1.0f;
                argument *= x;
            }
        }
    }
    return scale * (log(argument) - shift) + rest;
}

// log Gamma(1 - t), |t| <= 1/2, near its zero; 2^-23.7 relative
static float lgamma_near_1(float t)
{
    float p = mad(t, 0x1.d2b0ecp-5f, 0x1.db988ep-4f);
    p = mad(t, p, 0x1.10adecp-3f);
    p = mad(t, p, 0x1.2829cap-3f);
    p = mad(t, p, 0x1.5aa06cp-3f);
    p = mad(t, p, 0x1.a8ba1cp-3f);
    p = mad(t, p, 0x1.151398p-2f);
    p = mad(t, p, 0x1.9a4cd8p-2f);
    p = mad(t, p, 0x1.a51a66p-1f);
    return t * mad(t, p, 0x1.2788d0p-1f);
}

// log Gamma(2 + t), t in -1/2 .. 1; 2^-23.5 relative
static float lgamma_near_2(float t)
{
    float p = mad(t, -0x1.fdc890p-14f, 0x1.0eab82p-11f);
    p = mad(t, p, -0x1.4929bap-10f);
    p = mad(t, p, 0x1.7cd5ecp-9f);
    p = mad(t, p, -0x1.e33d4cp-8f);
    p = mad(t, p, 0x1.5125aep-6f);
    p = mad(t, p, -0x1.13e0dep-4f);
    p = mad(t, p, 0x1.4a34d4p-2f);
    return t * mad(t, p, 0x1.b0ee62p-2f);
}

// log Gamma(5.5 + t), |t| <= 2.5; 2^-24.5 relative
static float lgamma_middle(float t)
{
    float p = mad(t, 0x1.81ed0ap-27f, -0x1.9b36e4p-25f);
    p = mad(t, p, 0x1.2bc8e8p-23f);
    p = mad(t, p, -0x1.65b08cp-20f);
    p = mad(t, p, 0x1.5f79b2p-17f);
    p = mad(t, p, -0x1.45b640p-14f);
    p = mad(t, p, 0x1.56783ap-11f);
    p = mad(t, p, -0x1.b0a06ap-8f);
    p = mad(t, p, 0x1.984128p-4f);
    p = mad(t, p, 0x1.9c709ap+0f);
    return mad(t, p, 0x1.fa99a6p+1f);
}

// x in 2^-100 .. 2^100: own minimax fits without a logarithm in the most frequent range. The series: 2^-31.6.
static float quick_lgamma(float x)
{
    if (x >= 0.7f && x < 8.0f) {
        if (x < 1.5f)
            return lgamma_near_1(1.0f - x);
        return x < 3.0f ? lgamma_near_2(x - 2.0f) : lgamma_middle(x - 5.5f);
    }
    float logarithm = quick_log(x < 1.0f ? mad(x, x, x) : x);
    if (x < 1.0f)
        return lgamma_near_2(x) - logarithm;
    float inverse = native_recip(x), square = inverse * inverse;
    float rest = mad(inverse, mad(square, mad(square, 0x1.71bd1ep-11f, -0x1.6b7eb8p-9f), 0x1.555542p-4f), 0x1.acfe3ap-2f);
    return mad(x - 0.5f, logarithm - 1.0f, rest);
}

// lgamma: 6.55 ULP seen at 0x1.7971e2p+0, the quick form 4.0. OpenCL sets no bound. Near the zeros for negative x,
// relative accuracy is lost.
LIB float lgamma(float x)
{
    if (QUICK && x > 0x1p-100f && x < 0x1p100f)
        return quick_lgamma(x);
    float size = fabs(x), y = lgamma_positive(size);
    if (x < 0.0f && size > 0x1p-30f) {
        float sine = fabs(sinpi(x));
        y = sine == 0.0f ? INFINITY : log(0x1.921fb6p+1f / (sine * size)) - y;
    }
    return isnan(x) ? x : isinf(x) ? INFINITY : y;
}
