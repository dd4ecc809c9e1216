// SPDX-License-Identifier: Apache-2.0
// cbrt, hypot of double: as for float (cbrt.cl, hypot.cl); the start of cbrt has 17 bits.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/scale_double.h"

// cbrt: 0.5 ULP at 0x1.85021c16b70acp+1.
LIB double cbrt(double x)
{
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

// rest_of_squares of hypot.cl
static double rest_of_squares_d(double r, double a, double b)
{
    double d = r - a, sum = r + a, b_high = leading_d(b), d_high = leading_d(d), sum_high = leading_d(sum);
    double sum_low = (r - sum_high) + a, low = (b + b_high) * (b - b_high) - ((d - d_high) * sum + d_high * sum_low);
    return (b_high * b_high - d_high * sum_high) + low;
}

// The same by fused multiply-adds, as in quick_hypot
static double quick_rest_of_squares_d(double r, double a, double b)
{
    double square = r * r;
    return mad(b, b, mad(a, a, -square)) - mad(r, r, -square);
}

// hypot: 0.67 ULP at -0x1.03a35a896709cp+1, -0x1.0522d17fc246ap+1.
LIB double hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    bool swapped = a < b;
    double most = swapped ? b : a, least = swapped ? a : b;
    bool large = most > 0x1p500, small = most < 0x1p-400;
    double in = large ? 0x1p-600 : small ? 0x1p700 : 1.0;
    double out = large ? 0x1p600 : small ? 0x1p-700 : 1.0;
    most *= in;
    least *= in;
    double r = sqrt(most * most + least * least);
    double rest = QUICK ? quick_rest_of_squares_d(r, most, least) : rest_of_squares_d(r, most, least);
    r = least > 0.0 ? r + rest / (r + r) : most;
    r = isnan(x) || isnan(y) ? NAN : r * out;
    return a == INFINITY || b == INFINITY ? INFINITY : r;
}
#endif
