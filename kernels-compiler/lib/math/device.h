// SPDX-License-Identifier: Apache-2.0
// Quick forms for devices whose native float functions are accurate enough to build on.
#ifndef MATH_DEVICE_H
#define MATH_DEVICE_H

// Whether fma is fused, native_exp2, native_sqrt and native_rsqrt are within 2.1, 1 and 1.6 ULP with correct special
// values, native_log2 has a relative or absolute error of at most 2^-20, and min and max return the other operand for
// NaN. Denormals may be flushed. A constant once the device is known.
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

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
static uint high_of(double x)
{
    return as_uint2(x).y;
}

static double of_words(uint low, uint high)
{
    return as_double((uint2)(low, high));
}

// -x by an operation on integers: before fma a negation costs as much as a sum.
static double opposite(double x)
{
    return of_words(as_uint2(x).x, high_of(x) ^ 0x80000000u);
}

// Whether |x| is less than the number with this upper word, which is below 2^1017: comparing one word as a float is
// cheaper.
static bool is_below(double x, uint high)
{
    return fabs(as_float(high_of(x))) < as_float(high);
}

// From a double's upper word: |x| in 2^-119 .. 2^120, so that it has a float with the same exponent
static bool has_float(uint high)
{
    float size = fabs(as_float(high));
    return size >= as_float(0x38800000u) && size < as_float(0x47700000u);
}

// For these: |x| as a float, truncated to 20 bits
static float float_of(uint high)
{
    return as_float((high << 3) + 0x40000000u);
}

// and the inverse for x > 0
static double double_of(float x)
{
    uint bits = as_uint(x);
    return of_words(bits << 29, (bits >> 3) + 0x38000000u);
}

// -1 / y, y > 0 and with has_float(): 1.1 ULP. The device's start is within 2^-19, the cube of its error remains.
static double quick_minus_inverse_d(double y)
{
    double start = opposite(double_of(native_recip(float_of(high_of(y))))), e = mad(y, start, 1.0);
    return mad(start, mad(e, e, e), start);
}

// The square root and half of its inverse, for x = 0 and for x with has_float(): the device's start is within 2^-19;
// after one step the error is its cube, 2^-57, and rounding. Where the root is next to the middle of two numbers, as of
// 4 - 2^-51, the start is below the inverse, so that the lower one is taken. `error` is about that of the start: for other
// x it is large. The inverse is negative: an operation less.
struct roots_d {
    double root, minus_half_inverse, error;
};

static struct roots_d quick_roots_d(double x, uint high)
{
    struct roots_d r;
    double above = double_of(native_rsqrt(float_of(high)));
    double start = of_words(as_uint2(above).x, high_of(above) - 1);
    double h = of_words(as_uint2(start).x, high_of(start) + 0x7ff00000u), s = x * start; // -start / 2
    r.error = mad(h, s, 0.5);
    double p = mad(1.5 * r.error, r.error, r.error);
    r.root = mad(s, p, s);
    r.minus_half_inverse = mad(h, p, h);
    return r;
}
#endif

// Positive, normal and finite
static bool is_usual(float x)
{
    return as_uint(x) - 0x00800000u < 0x7f000000u;
}
#endif
