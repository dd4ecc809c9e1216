// SPDX-License-Identifier: Apache-2.0
// hypot: the square root of the squares, scaled by a power of two where they would overflow or
// vanish.
#include "lib.h"
#include "math/device.h"

// hypot: 1.17 ULP at -0x1.095e72p+0, -0x1.739924p+0.
LIB float hypot(float x, float y)
{
    float a = fabs(x), b = fabs(y), sum = a + b;
    if (QUICK && sum > 0x1p-40f && sum < 0x1p60f)
        return native_sqrt(mad(a, a, b * b));
    bool large = sum > 0x1p60f, small = sum < 0x1p-40f;
    float in = large ? 0x1p-80f : small ? 0x1p80f : 1.0f;
    float out = large ? 0x1p80f : small ? 0x1p-80f : 1.0f;
    a *= in; // no comparison before: a device may take denormals for zero there
    b *= in;
    float r = sqrt(a * a + b * b) * out;
    r = isnan(x) || isnan(y) ? NAN : r;
    return a == INFINITY || b == INFINITY ? INFINITY : r;
}
