// SPDX-License-Identifier: Apache-2.0
// hypot: the square root of the sum of squares, scaled by a power of two where it would overflow or underflow. If the
// result is exactly representable, the error before the last rounding is below 0.5 ULP, which makes it exact.
#include "lib.h"
#include "math/device.h"

// The root of `sum`, a^2 + b^2, by one step with the residual. b^2 is used unrounded, so that the only error is the
// rounding of the sum: 0.36 ULP of the root.
static float quick_root(float sum, float b, float square)
{
    float inverse = native_rsqrt(sum), r = sum * inverse, rest = mad(-r, r, sum) + mad(b, b, -square);
    return mad(rest * inverse, 0.5f, r);
}

// Both scaled by a power of 16 near the larger one. No branch for special sizes: the small addend is lost next to any
// other value, and gives 2^-177 if both are 0.
static float scaled_hypot(float x, float y)
{
    float most = fmax(fabs(x), fabs(y));
    uint scale = as_uint(most) & 0x7e000000u;
    float in = as_float(0x7e800000u - scale), a = x * in, b = y * in, square = mad(b, b, 0x1p-100f);
    float r = quick_root(mad(a, a, square), b, square) * as_float(scale | 0x00800000u);
    return most == INFINITY ? INFINITY : r;
}

static float quick_hypot(float x, float y)
{
    float square = y * y, sum = mad(x, x, square);
    return sum > 0x1p-70f && sum < 0x1p126f ? quick_root(sum, y, square) : scaled_hypot(x, y);
}

// a^2 + b^2, neither negative: 0.52 ULP, of which 0.37 remain in the root. Multiples of 2^-10 of their sum's power of
// two have exact squares, and the sum of these is exact.
static float sum_of_squares(float a, float b)
{
    float grid = as_float((as_uint(a + b) & 0x7f800000u) + 0x06800000u); // 2^13
    float a_high = (a + grid) - grid, b_high = (b + grid) - grid;
    float low = mad(a + a_high, a - a_high, (b + b_high) * (b - b_high));
    return mad(a_high, a_high, b_high * b_high) + low;
}

// For non-negative numbers; neither is compared before it is scaled, because comparisons may flush denormals to zero.
static float any_hypot(float a, float b)
{
    float sum = a + b;
    bool large = sum > 0x1p60f, small = sum < 0x1p-40f;
    float in = large ? 0x1p-80f : small ? 0x1p100f : 1.0f;
    float out = large ? 0x1p80f : small ? 0x1p-100f : 1.0f;
    float r = sqrt(sum_of_squares(a * in, b * in)) * out;
    r = isnan(sum) ? NAN : r;
    return a == INFINITY || b == INFINITY ? INFINITY : r;
}

static bool is_quick(float sum)
{
    return sum > 0x1p-40f && sum < 0x1p60f;
}

// hypot: 0.84 ULP at -0x1.6d7e72p+0, -0x1.3ed4ap+1.
LIB float hypot(float x, float y)
{
    return QUICK ? quick_hypot(x, y) : any_hypot(fabs(x), fabs(y));
}

// For -cl-unsafe-math-optimizations: 1.2 ULP
LIB float relaxed_hypot(float x, float y)
{
    float a = fabs(x), b = fabs(y);
    return is_quick(a + b) ? native_sqrt(mad(a, a, b * b)) : any_hypot(a, b);
}
