// SPDX-License-Identifier: Apache-2.0
// asin, acos and their pi forms of double: as for float (asin.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/device.h"

struct arc_d {
    double size, angle;
    bool beyond;
};

// x = 0 or 2^-55 .. 1/4, or negative, which gives NaN: within 1 ULP
static double near_root_d(double x)
{
    if (!QUICK)
        return sqrt(x);
    uint high = high_of(x);
    double r = quick_roots_d(x, high).root;
    return of_words(as_uint2(r).x, (int)high < 0 ? 0x7ff80000u : high_of(r));
}

// Polynomial: 2^-55.9 relative (own minimax fit)
static struct arc_d arc_of_d(double x)
{
    struct arc_d a;
    a.size = fabs(x);
    a.beyond = !is_below(x, 0x3fe00000u); // also for NaN
    double square = x * x, root = a.size;
    if (a.beyond) {
        square = mad(a.size, -0.5, 0.5);
        root = near_root_d(square);
    }
    double p = mad(square, 0x1.056d6c4746a55p-5, -0x1.09d327898dbebp-6);
    p = mad(square, p, 0x1.3ff4a924fe512p-6);
    p = mad(square, p, 0x1.abcf5d71aea63p-8);
    p = mad(square, p, 0x1.8ec2fc9502512p-7);
    p = mad(square, p, 0x1.c6fdc1ad0a76dp-7);
    p = mad(square, p, 0x1.1c6be1a66c286p-6);
    p = mad(square, p, 0x1.6e89f4401af12p-6);
    p = mad(square, p, 0x1.f1c72c38fb295p-6);
    p = mad(square, p, 0x1.6db6db427a4f9p-5);
    p = mad(square, p, 0x1.333333336e80fp-4);
    p = mad(square, p, 0x1.555555555539p-3);
    a.angle = mad(square * root, p, root);
    return a;
}

// asin: 2.12 ULP at -0x1.02c69ab3303aap-1.
LIB double asin(double x)
{
    struct arc_d a = arc_of_d(x);
    return copysign(a.beyond ? 0x1.921fb54442d18p+0 - 2.0 * a.angle : a.angle, x);
}

// asinpi: 3.48 ULP at 0x1.03772028b5daap-1.
LIB double asinpi(double x)
{
    struct arc_d a = arc_of_d(x);
    double y = a.angle * 0x1.45f306dc9c883p-2;
    return copysign(a.beyond ? 0.5 - 2.0 * y : y, x);
}

// acos: 1.15 ULP at -0x1.03a3ff786229ep-1.
LIB double acos(double x)
{
    struct arc_d a = arc_of_d(x);
    double beyond = x < 0.0 ? 0x1.921fb54442d18p+1 - 2.0 * a.angle : 2.0 * a.angle;
    double angle = copysign(a.angle, x);
    return a.beyond ? beyond : 0x1.921fb54442d18p+0 - (angle - 0x1.1a62633145c07p-54);
}

// acospi: 2.19 ULP at 0x1.89139be4b4c92p-1.
LIB double acospi(double x)
{
    struct arc_d a = arc_of_d(x);
    double y = a.angle * 0x1.45f306dc9c883p-2;
    double beyond = x < 0.0 ? 1.0 - 2.0 * y : 2.0 * y;
    return a.beyond ? beyond : 0.5 - copysign(y, x);
}
#endif
