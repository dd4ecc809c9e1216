// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1 of double: as for float (exp.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/power_double.h"

// exp: 1.09 ULP at 0x1.47ec68190a468p+4.
LIB double exp(double x)
{
    if (QUICK && is_below(x, 0x4085e000u)) { // 700
        struct exp_reduced_d quick = exp_reduce_d(x);
        return quick_scale_d(exp_poly_d(quick.r), (uint)quick.k);
    }
    struct exp_reduced_d e = exp_reduce_d(limited_d(x, -746.0, 710.0));
    return scale_d(exp_poly_d(e.r), e.k);
}

// exp2: 1.18 ULP at -0x1.4de2c800cb135p+6.
LIB double exp2(double x)
{
    x = limited_d(x, -1076.0, 1025.0);
    double shifted = x + ROUNDER_D, r = x - (shifted - ROUNDER_D);
    return scale_d(exp_poly_d(r * 0x1.62e42fefa39efp-1),
                   (int)(as_long(shifted) - as_long(ROUNDER_D)));
}

// 10^x, |x| < 307: 1.03 ULP. That it is exact where it can be has been tried, there are 23 such x.
static double quick_exp10_d(double x)
{
    double shifted = mad(x, 0x1.a934f0979a371p+1, ROUNDER_D);
    double r = mad(x, 0x1.7f2495fb7fa6dp-53, mad(x, 0x1.a934f0979a371p+1, ROUNDER_D - shifted));
    double p = mad(r, exp2_tail_d(r), 0x1.62e42fefa39efp-1);
    return quick_scale_d(mad(r, p, 1.0), as_uint2(shifted).x);
}

// exp10: 0.66 ULP at -0x1.aca3c2eef85fp+3, the quick form 1.03. Exact where the result is exactly representable.
LIB double exp10(double x)
{
    if (QUICK && fabs(x) < 307.0)
        return quick_exp10_d(x);
    struct two_doubles t, parts = two_doubles_of(limited_d(x, -325.0, 309.0));
    t.high = parts.high * 0x1.a934f08p+1;
    t.low = parts.low * 0x1.a934f0979a371p+1 + parts.high * 0x1.79a3715fc9258p-27;
    return exp2_wide_d(t);
}

// expm1: 1.81 ULP at 0x1.9ade0b3ff0e4p-2.
LIB double expm1(double x)
{
    return fabs(x) < 0x1p-54 ? x : expm1_finite_d(x);
}
#endif
