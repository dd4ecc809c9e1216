// SPDX-License-Identifier: Apache-2.0
// atan, atan2 and their pi forms of double: as for float (atan.cl), but above tan(pi/8) the argument is reduced about
// pi/4.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The arc tangent of the quotient of the smaller and the larger of two non-negative sides; |quotient| <= tan(pi/8),
// polynomial 2^-59.4 relative (own minimax fit).
static double atan_of_sides_d(double x, double y)
{
    double most = fmax(x, y), least = fmin(x, y);
    double factor = most > 0x1p1000 ? 0x1p-60 : 1.0;
    factor = most < 0x1p-900 ? 0x1p100 : factor;
    bool infinite = least == INFINITY;
    most = infinite ? 1.0 : most * factor;
    least = infinite ? 1.0 : least * factor;
    bool about = least > 0x1.a827999fcef32p-2 * most;
    double q = (about ? least - most : least) / (about ? least + most : most);
    q = most == 0.0 ? 0.0 : q;
    double square = q * q, p = mad(square, -0x1.256ae1c81b21ep-6, 0x1.37d5d6ce4ab2ep-5);
    p = mad(square, p, -0x1.9cd2cc3bcaa6cp-5);
    p = mad(square, p, 0x1.df0f4dc53386ap-5);
    p = mad(square, p, -0x1.10ebb86a779eap-4);
    p = mad(square, p, 0x1.3b11191f75b4cp-4);
    p = mad(square, p, -0x1.745cf8dcacc2cp-4);
    p = mad(square, p, 0x1.c71c70e613401p-4);
    p = mad(square, p, -0x1.24924922ad6edp-3);
    p = mad(square, p, 0x1.999999999586dp-3);
    p = mad(square, p, -0x1.555555555553dp-2);
    double angle = mad(square * q, p, q);
    return about ? 0x1.921fb54442d18p-1 + angle : angle;
}

// atan: 1.64 ULP at 0x1.d62bfdf6a34a5p-2.
LIB double atan(double x)
{
    double size = fabs(x), y = atan_of_sides_d(1.0, size);
    y = copysign(size > 1.0 ? 0x1.921fb54442d18p+0 - y : y, x);
    return isnan(x) ? x : y;
}

// atanpi: 1.68 ULP at -0x1.2dada2f849618p-1.
LIB double atanpi(double x)
{
    double size = fabs(x), y = atan_of_sides_d(1.0, size) * 0x1.45f306dc9c883p-2;
    y = copysign(size > 1.0 ? 0.5 - y : y, x);
    return isnan(x) ? x : y;
}

// atan2: 1.95 ULP at 0x1.66c506042c2cap+0, 0x1.91d38b4922bbp+1.
LIB double atan2(double y, double x)
{
    double right = fabs(x), up = fabs(y), angle = atan_of_sides_d(right, up);
    angle = up > right ? 0x1.921fb54442d18p+0 - angle : angle;
    angle = signbit(x) ? 0x1.921fb54442d18p+1 - angle : angle;
    return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}

// atan2pi: 2.13 ULP at 0x1.705d15fed3bf8p+0, 0x1.e49dc22b8c7p+3.
LIB double atan2pi(double y, double x)
{
    double right = fabs(x), up = fabs(y), angle = atan_of_sides_d(right, up) * 0x1.45f306dc9c883p-2;
    angle = up > right ? 0.5 - angle : angle;
    angle = signbit(x) ? 1.0 - angle : angle;
    return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}
#endif
