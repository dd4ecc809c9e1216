// SPDX-License-Identifier: Apache-2.0
// cbrt: a third of the exponent by its bits, a polynomial start, and one step from a start of 8
// bits, whose cube is exact.
#include "lib.h"
#include "math/device.h"
#include "math/scale.h"

// x in 2^-60 .. 2^126: powers by the device's logarithm, 2^-17 relative, and one step with x - y^3 in full.
static float quick_cbrt(float x)
{
    float third = native_log2(x) * 0x1.555556p-2f, y = native_exp2(third);
    float inverse_square = native_exp2(-2.0f * third), square = y * y, lost = mad(y, y, -square);
    float rest = mad(-y, lost, mad(-y, square, x));
    return mad(rest, inverse_square * 0x1.555556p-2f, y);
}

// cbrt: 0.51 ULP at 0x1.0f3568p-3. Start: 2^-7.6 relative, one Newton step, then m^(1/3) = y (1 +
// t)^(1/3), t = (m - y^3) / y^3.
LIB float cbrt(float x)
{
    float size = fabs(x);
    if (QUICK && size > 0x1p-60f && size < 0x1p126f)
        return copysign(quick_cbrt(size), x);
    uint bits = as_uint(size);
    bool tiny = bits < 0x00800000u; // a product with a denormal may be 0
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
    bool usual = as_uint(size) - 1u < 0x7f7fffffu; // a device may take denormals for zero when it compares
    return copysign(usual ? root : size, x);
}
