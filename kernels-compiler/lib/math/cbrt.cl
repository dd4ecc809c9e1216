// SPDX-License-Identifier: Apache-2.0
// cbrt: a third of the exponent from the bits, a polynomial start of 8 bits, whose cube is exact, and one step.
#include "lib.h"
#include "math/device.h"
#include "math/scale.h"

// 1 / y^2 by the device's logarithm and power, y = x / y^2 within 2^-14, and one step with the residual x / y^2 - y^3
// / y^2, which is far from denormals for any x. The only error left is the rounding of y^2: 2^-24 / 3 of y. For zero,
// infinity and NaN the residual is NaN.
static float quick_cbrt(float x)
{
    float root = native_exp2(native_log2(fabs(x)) * -0x1.555556p-2f), by_square = root * root, y = x * by_square;
    float rest = mad(y, mad(-(y * y), by_square, 1.0f), mad(x, by_square, -y));
    float r = mad(rest, 0x1.555556p-2f, y);
    return fabs(y) < INFINITY ? r : x + x;
}

// cbrt: 0.51 ULP at 0x1.0f3568p-3, the quick form 0.73 at -0x1.6ad2eep+1. Start: 2^-7.6 relative, one Newton step,
// then m^(1/3) = y (1 + t)^(1/3), t = (m - y^3) / y^3.
LIB float cbrt(float x)
{
    if (QUICK)
        return quick_cbrt(x);
    float size = fabs(x);
    uint bits = as_uint(size);
    bool tiny = bits < 0x00800000u; // a product with a denormal may be flushed to 0
    bits = tiny ? as_uint((float)bits) : bits;
    int e = (int)(bits >> 23) - (tiny ? 127 + 149 : 127), third = ((e + 192) * 171 >> 9) - 64;
    float m = as_float((bits & 0x7fffffu) | ((uint)(e - 3 * third + 127) << 23)); // 1 .. 8
    float start =
        mad(m, mad(m, mad(m, 0x1.2f32e2p-9f, -0x1.62cbf8p-5f), 0x1.7546e4p-2f), 0x1.5d05aap-1f);
    start = start - (start - m / (start * start)) * 0x1.555556p-2f;
    float y = as_float((as_uint(start) + 0x8000u) & 0xffff0000u), cube = y * y * y;
    float t = (m - cube) / cube;
    float root = y + y * t * mad(t, mad(t, 0x1.f9add4p-5f, -0x1.c71c72p-4f), 0x1.555556p-2f);
    root *= power_of_two(third);
    bool usual = as_uint(size) - 1u < 0x7f7fffffu; // by the bits, because comparisons may flush denormals to zero
    return copysign(usual ? root : size, x);
}
