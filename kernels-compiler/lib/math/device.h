// SPDX-License-Identifier: Apache-2.0
// Quick forms for devices whose own functions of float are good enough to build on.
#ifndef MATH_DEVICE_H
#define MATH_DEVICE_H

// Whether fma is fused, native_exp2, native_sqrt and native_rsqrt are within 2.1, 1 and 1.6 ULP with
// the right special values, native_log2 is within 2^-20 of its size or absolutely, and min and max give
// the number where the other one is NaN. Denormals may be lost. A constant once the device is known.
LIB bool native_is_close(float);
#define QUICK native_is_close(0.0f)

// x / y by the device's functions, y in 2^-124 .. 2^124. |x| at least 2^-100: 1.1 ULP, else 5.
static float quick_quotient(float x, float y)
{
    float root = native_rsqrt(y), inverse = root * root, q = x * inverse;
    return mad(mad(-q, y, x), inverse, q);
}

static float near_root(float x) // 1 ULP
{
    return QUICK ? native_sqrt(x) : sqrt(x);
}

// Positive, normal and finite
static bool is_usual(float x)
{
    return as_uint(x) - 0x00800000u < 0x7f000000u;
}
#endif
