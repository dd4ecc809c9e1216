// SPDX-License-Identifier: Apache-2.0
// cbrt, hypot of double: as for float (cbrt.cl, hypot.cl); the start of cbrt has 17 bits.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/scale_double.h"

// As quick_cbrt: x^(-1/3) by the device within 2^-14, y = x / its square, and e = 1 - y^3 / x corrects y up to the
// cube of e. A third of the rounding error of y remains: 0.7 ULP.
static double quick_cbrt_d(double x, uint high)
{
    double r = double_of(native_exp2(native_log2(float_of(high)) * -0x1.555556p-2f));
    double size = fabs(x), y = size * (r * r), e = mad(-y, r, 1.0);
    double p = mad(e, mad(e, 0x1.f9add3c0ca458p-2, 0x1.1c71c71c71c72p-1), 0x1.5555555555555p-1);
    return copysign(mad(y * e, p, y), x);
}

// cbrt: 0.5 ULP at 0x1.85021c16b70acp+1.
LIB double cbrt(double x)
{
    uint high = high_of(x);
    if (QUICK && has_float(high))
        return quick_cbrt_d(x, high);
    double size = fabs(x);
    bool tiny = size < 0x1p-1022;
    ulong bits = as_ulong(tiny ? size * 0x1p54 : size);
    int e = (int)(bits >> 52) - (tiny ? 1077 : 1023), third = ((e + 1536) * 21846 >> 16) - 512;
    double m =
        as_double((bits & 0xffffffffffffful) | ((ulong)(e - 3 * third + 1023) << 52)); // 1 .. 8
    double start =
        mad(m, mad(m, mad(m, 0x1.2f32e2p-9, -0x1.62cbf8p-5), 0x1.7546e4p-2), 0x1.5d05aap-1);
    start = start - (start - m / (start * start)) * 0x1.5555555555555p-2;
    start = start - (start - m / (start * start)) * 0x1.5555555555555p-2;
    double y = as_double((as_ulong(start) + 0x800000000ul) & 0xfffffff000000000ul),
           cube = y * y * y;
    double t = (m - cube) / cube;
    double root =
        y +
        y * t * mad(t, mad(t, 0x1.f9add3c0ca458p-5, -0x1.c71c71c71c71cp-4), 0x1.5555555555555p-2);
    root *= power_of_two_d(third);
    return copysign(size > 0.0 && size < INFINITY ? root : size, x);
}

// See sum_of_squares of hypot.cl: here with multiples of 2^-25.
static double sum_of_squares_d(double a, double b)
{
    double grid = as_double((as_ulong(a + b) & 0x7ff0000000000000ul) + 0x01b0000000000000ul); // 2^27
    double a_high = (a + grid) - grid, b_high = (b + grid) - grid;
    double low = mad(a + a_high, a - a_high, (b + b_high) * (b - b_high));
    return mad(a_high, a_high, b_high * b_high) + low;
}

// One step with the residual, see quick_hypot. The start is the reciprocal square root of a float, converted from and
// to a double's upper word by its bits: 2^-20, and one Goldschmidt step. For sums of squares in 2^-119 .. 2^120.
static double quick_hypot_d(double x, double y, private bool *usual)
{
    double square = y * y, sum = mad(x, x, square);
    uint high = as_uint2(sum).y, start = as_uint(native_rsqrt(as_float((high << 3) + 0x40000000u))) >> 3;
    double r = sum * of_words(0, start + 0x38000000u), half_inverse = of_words(0, start + 0x37f00000u);
    double error = mad(-half_inverse, r, 0.5);
    r = mad(r, error, r);
    half_inverse = mad(half_inverse, error, half_inverse);
    *usual = high - 0x38800000u < 0x0ef00000u;
    return mad(mad(-r, r, sum) + mad(y, y, -square), half_inverse, r);
}

static double any_hypot_d(double a, double b)
{
    double sum = a + b;
    bool large = sum > 0x1p500, small = sum < 0x1p-400;
    double in = large ? 0x1p-600 : small ? 0x1p700 : 1.0;
    double out = large ? 0x1p600 : small ? 0x1p-700 : 1.0;
    double r = sqrt(sum_of_squares_d(a * in, b * in)) * out;
    r = isnan(sum) ? NAN : r;
    return a == INFINITY || b == INFINITY ? INFINITY : r;
}

// hypot: 0.85 ULP at -0x1.66e4cd99cc04p+0, 0x1.cc7ec6e41526p-3.
LIB double hypot(double x, double y)
{
    double quick;
    bool usual = false;
    if (QUICK)
        quick = quick_hypot_d(x, y, &usual);
    return usual ? quick : any_hypot_d(fabs(x), fabs(y));
}
#endif
