// SPDX-License-Identifier: Apache-2.0
// atan, atan2 and their pi forms: the quotient of the smaller and the larger side is in [0, 1], its arc tangent is a
// polynomial (own minimax fit), and the octant selects what it is subtracted from.
#include "lib.h"
#include "math/device.h"

// 0 <= x <= 1; 2^-25.8 relative
static float atan_poly(float x)
{
    float square = x * x, p = mad(square, 0x1.7ec1c4p-9f, -0x1.0c23fep-6f);
    p = mad(square, p, 0x1.61f756p-5f);
    p = mad(square, p, -0x1.3553f4p-4f);
    p = mad(square, p, 0x1.b4dfdcp-4f);
    p = mad(square, p, -0x1.230abp-3f);
    p = mad(square, p, 0x1.9978eep-3f);
    p = mad(square, p, -0x1.5554dcp-2f);
    return mad(square * x, p, x);
}

static float inverse_size(float size)
{
    return QUICK ? quick_quotient(1.0f, min(size, 0x1p100f)) : 1.0f / size;
}

// pi/2 - y, the constant in two parts
static float from_half_pi(float y)
{
    return 0x1.921fb6p+0f - (y + 0x1.777a5cp-25f);
}

// atan: 1.57 ULP at 0x1.123568p+0.
LIB float atan(float x)
{
    float size = fabs(x);
    bool large = size > 1.0f;
    float y = atan_poly(large ? inverse_size(size) : size);
    return copysign(large ? from_half_pi(y) : y, x);
}

// atanpi: 2.56 ULP at 0x1.f8ae7ep-1.
LIB float atanpi(float x)
{
    float size = fabs(x);
    bool large = size > 1.0f;
    float y = atan_poly(large ? inverse_size(size) : size) * 0x1.45f306p-2f;
    return copysign(large ? 0.5f - y : y, x);
}

// The arc tangent of the quotient of the smaller and the larger of two non-negative sides. Sides that a device's
// division cannot handle because of their size are scaled first.
static float atan_of_sides(float x, float y)
{
    float most = fmax(x, y), least = fmin(x, y);
    float factor = most > 0x1p100f ? 0x1p-30f : 1.0f;
    factor = most < 0x1p-100f ? 0x1p30f : factor;
    float ratio = (least * factor) / (most * factor);
    ratio = most == 0.0f ? 0.0f : ratio;
    return atan_poly(least == INFINITY ? 1.0f : ratio);
}

// Whether the sides need no scaling; false for NaN.
static bool sides_are_usual(float right, float up)
{
    float sum = right + up;
    return sum > 0x1p-100f && sum < 0x1p120f;
}

static float quick_atan_of_sides(float x, float y)
{
    return atan_poly(quick_quotient(min(x, y), max(x, y)));
}

static float quick_atan2(float y, float x)
{
    float right = fabs(x), up = fabs(y), angle = quick_atan_of_sides(right, up);
    angle = up > right ? 0x1.921fb6p+0f - angle : angle;
    angle = signbit(x) ? 0x1.921fb6p+1f - angle : angle;
    return copysign(angle, y);
}

// atan2: 1.96 ULP at -0x1.f865ecp+0, 0x1.b9fd52p+0.
LIB float atan2(float y, float x)
{
    if (QUICK && sides_are_usual(fabs(x), fabs(y)))
        return quick_atan2(y, x);
    float right = fabs(x), up = fabs(y), angle = atan_of_sides(right, up);
    angle = up > right ? 0x1.921fb6p+0f - angle : angle;
    angle = signbit(x) ? 0x1.921fb6p+1f - angle : angle;
    return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}

// atan2pi: 2.66 ULP at -0x1.a61c1ep+0, 0x1.f125b6p+0.
LIB float atan2pi(float y, float x)
{
    float right = fabs(x), up = fabs(y), angle = atan_of_sides(right, up) * 0x1.45f306p-2f;
    angle = up > right ? 0.5f - angle : angle;
    angle = signbit(x) ? 1.0f - angle : angle;
    return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}
