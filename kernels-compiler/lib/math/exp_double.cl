// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, expm1 of double: as for float (exp.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/power_double.h"

// p 2^k, a function's result at x. `usual`: the upper word of a bound; if |x| is below it the result is normal, above
// twice that it is zero or infinite. All callers share the polynomial for p, because code that runs once has to be
// fetched first.
static double quick_result_d(double x, uint usual, double p, int k)
{
    double y = quick_scale_d(p, (uint)k);
    if (!is_below(x, usual)) {
        double far = x < 0.0 ? 0.0 : x * INFINITY;
        y = scale_d(p, k);
        y = is_below(x, usual + 0x00100000u) ? y : far;
    }
    return y;
}

// exp: 1.09 ULP at 0x1.47ec68190a468p+4.
LIB double exp(double x)
{
    if (QUICK) {
        struct exp_reduced_d e = exp_reduce_d(x);
        return quick_result_d(x, 0x4085e000u, exp_poly_d(e.r), e.k); // 700
    }
    struct exp_reduced_d e = exp_reduce_d(limited_d(x, -746.0, 710.0));
    return scale_d(exp_poly_d(e.r), e.k);
}

// exp2: 1.18 ULP at -0x1.4de2c800cb135p+6.
LIB double exp2(double x)
{
    double in_range = QUICK ? x : limited_d(x, -1076.0, 1025.0);
    double shifted = in_range + ROUNDER_D, p = exp_poly_d((in_range - (shifted - ROUNDER_D)) * 0x1.62e42fefa39efp-1);
    int k = (int)(as_long(shifted) - as_long(ROUNDER_D));
    return QUICK ? quick_result_d(x, 0x408fe000u, p, k) : scale_d(p, k); // 1020
}

// 10^x, if finite: 1.03 ULP. It was tested to be exact for all 23 x whose result is representable.
static double quick_exp10_d(double x)
{
    double shifted = mad(x, 0x1.a934f0979a371p+1, ROUNDER_D);
    double r = mad(x, 0x1.7f2495fb7fa6dp-53, mad(x, 0x1.a934f0979a371p+1, ROUNDER_D - shifted));
    double p = mad(r, mad(r, exp2_tail_d(r), 0x1.62e42fefa39efp-1), 1.0);
    return quick_result_d(x, 0x40732000u, p, (int)as_uint2(shifted).x); // 306
}

// exp10: 0.66 ULP at -0x1.aca3c2eef85fp+3, the quick form 1.03. Exact where the result is exactly representable.
LIB double exp10(double x)
{
    if (QUICK)
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
