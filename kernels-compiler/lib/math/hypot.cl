// SPDX-License-Identifier: Apache-2.0
// hypot: the square root of the squares, scaled by a power of two where they would overflow or vanish, and one step with
// what they leave, which makes exactly representable results exact.
#include "lib.h"
#include "math/device.h"
#include "math/scale.h"

// Both in 2^-126 .. 2^62 or so. a^2 - r^2 is below half of r^2, and its rounding 0.25 ULP of r.
static float quick_hypot(float a, float b)
{
    float most = fmax(a, b), least = fmin(a, b), sum = mad(most, most, least * least);
    float inverse = native_rsqrt(sum), r = sum * inverse, square = r * r;
    float rest = mad(least, least, mad(most, most, -square)) - mad(r, r, -square);
    return mad(rest, 0.5f * inverse, r);
}

// b^2 - (r - a) (r + a), where r is about hypot(a, b) and r - a exact: leading parts first, whose products are exact.
static float rest_of_squares(float r, float a, float b)
{
    float d = r - a, sum = r + a, b_high = leading(b), d_high = leading(d), sum_high = leading(sum);
    float sum_low = (r - sum_high) + a, low = (b + b_high) * (b - b_high) - ((d - d_high) * sum + d_high * sum_low);
    return (b_high * b_high - d_high * sum_high) + low;
}

// Of numbers that are not negative
static float any_hypot(float a, float b)
{
    float sum = a + b;
    bool large = sum > 0x1p60f, small = sum < 0x1p-40f;
    float in = large ? 0x1p-80f : small ? 0x1p80f : 1.0f;
    float out = large ? 0x1p80f : small ? 0x1p-80f : 1.0f;
    a *= in; // no comparison before: a device may take denormals for zero there
    b *= in;
    bool swapped = a < b;
    float most = swapped ? b : a, least = swapped ? a : b;
    float r = sqrt(most * most + least * least);
    r = least > 0.0f ? r + rest_of_squares(r, most, least) / (r + r) : most;
    r = isnan(sum) ? NAN : r * out;
    return a == INFINITY || b == INFINITY ? INFINITY : r;
}

static bool is_quick(float sum)
{
    return sum > 0x1p-40f && sum < 0x1p60f;
}

// hypot: 0.67 ULP at -0x1.04b6dep+0, 0x1.1fd41ep+0.
LIB float hypot(float x, float y)
{
    float a = fabs(x), b = fabs(y);
    return QUICK && is_quick(a + b) ? quick_hypot(a, b) : any_hypot(a, b);
}

// For -cl-fast-relaxed-math: 1.2 ULP
LIB float relaxed_hypot(float x, float y)
{
    float a = fabs(x), b = fabs(y);
    return is_quick(a + b) ? native_sqrt(mad(a, a, b * b)) : any_hypot(a, b);
}
