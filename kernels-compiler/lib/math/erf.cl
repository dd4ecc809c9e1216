// SPDX-License-Identifier: Apache-2.0
// erf, erfc: an odd polynomial below 1, above it e^(-x^2) times a polynomial in (x - 3) / (x + 3) (own minimax fits).
#include "lib.h"
#include "math/exp_core.h"

// |x| <= 1; 2^-24.2 relative
static float erf_poly(float x)
{
    float square = x * x, p = mad(square, -0x1.268bc2p-11f, 0x1.420828p-8f);
    p = mad(square, p, -0x1.b5937p-6f);
    p = mad(square, p, 0x1.ce077cp-4f);
    p = mad(square, p, -0x1.81266p-2f);
    return x * mad(square, p, 0x1.20dd74p0f);
}

// erfc, x >= 1; polynomial: 2^-27.0 relative. The rounding error of the square is added in the exponential.
static float erfc_tail(float x)
{
    x = limited(x, 0.0f, 10.5f);
    float high = leading(x), low = x - high, square = x * x;
    float lost = ((high * high - square) + 2.0f * high * low) + low * low;
    float t = QUICK ? quick_quotient(x - 3.0f, x + 3.0f) : (x - 3.0f) / (x + 3.0f), p = mad(t, -0x1.17c304p-11f, 0x1.7eba98p-11f);
    p = mad(t, p, 0x1.166526p-8f);
    p = mad(t, p, -0x1.8fb5fcp-6f);
    p = mad(t, p, 0x1.258e0ap-4f);
    p = mad(t, p, -0x1.336fd8p-3f);
    p = mad(t, p, 0x1.f6ff0ep-3f);
    p = mad(t, p, -0x1.4e102cp-2f);
    p = mad(t, p, 0x1.6e9828p-3f);
    return exp_wide(-square, -lost, 0) * p;
}

// x >= 1: 1 - 2^P, P within 2^-35 (own minimax fit). P decreases for large x, so that infinity gives 1.
static float quick_erf_tail(float x)
{
    float p = mad(x, -0x1.06751cp-15f, 0x1.4dd20ap-11f);
    p = mad(x, p, -0x1.8d88c4p-8f);
    p = mad(x, p, 0x1.29eccep-5f);
    p = mad(x, p, -0x1.405674p-3f);
    p = mad(x, p, -0x1.d3bbfp-1f);
    p = mad(x, p, -0x1.a12fe6p0f);
    return 1.0f - native_exp2(mad(x, p, 0x1.1c74fcp-12f));
}

static float quick_erf(float x)
{
    float size = fabs(x), near = erf_poly(x), far = copysign(quick_erf_tail(size), x);
    return size < 1.0f ? near : far;
}

// erf: 2.25 ULP at -0x1.c4a0c8p-8.
LIB float erf(float x)
{
    if (QUICK)
        return quick_erf(x);
    float size = fabs(x);
    return size < 1.0f ? erf_poly(x) : copysign(1.0f - erfc_tail(size), x);
}

// erfc: 8.01 ULP at 0x1.eb337p-1.
LIB float erfc(float x)
{
    float size = fabs(x), tail = erfc_tail(size);
    tail = x < 0.0f ? 2.0f - tail : tail;
    return size < 1.0f ? 1.0f - erf_poly(x) : tail;
}
