// SPDX-License-Identifier: Apache-2.0
// exp_core.h for double.
#include "math/scale_double.h"

#define ROUNDER_D 0x1.8p52

struct exp_reduced_d {
    int k;
    double r;
};

// |x| <= 2^20; k * 0x1.62e42feep-1 is exact up to |k| < 2^21.
static struct exp_reduced_d exp_reduce_d(double x)
{
    struct exp_reduced_d e;
    double shifted = mad(x, 0x1.71547652b82fep+0, ROUNDER_D), k = shifted - ROUNDER_D;
    e.k = (int)(as_long(shifted) - as_long(ROUNDER_D));
    e.r = mad(k, -0x1.a39ef35793c76p-33, mad(k, -0x1.62e42feep-1, x));
    return e;
}

// e^r; 2^-57.9 relative
static double exp_poly_d(double r)
{
    double p = mad(r, 0x1.ad93720b9f81fp-26, 0x1.28ae10fc979b5p-22);
    p = mad(r, p, 0x1.71df18b9a0df3p-19);
    p = mad(r, p, 0x1.a019994c13178p-16);
    p = mad(r, p, 0x1.a01a012ffa329p-13);
    p = mad(r, p, 0x1.6c16c1847c94ap-10);
    p = mad(r, p, 0x1.1111111126b2ep-7);
    p = mad(r, p, 0x1.55555555506acp-5);
    p = mad(r, p, 0x1.55555555554fep-3);
    p = mad(r, p, 0x1.000000000000ap-1);
    return mad(r, mad(r, p, 1.0), 1.0);
}

static double limited_d(double x, double low, double high) // NaN is preserved
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

// e^(x + low) * 2^more: |low| is small, |more| <= 2
static double exp_wide_d(double x, double low, int more)
{
    struct exp_reduced_d e = exp_reduce_d(limited_d(x, -750.0, 715.0));
    return scale_d(exp_poly_d(e.r + low), e.k + more);
}

// 2^k (e^r - 1) + (2^k - 1), both halved so that 2^k is finite for k = 1024; polynomial: 2^-61.5 relative
static double expm1_finite_d(double x)
{
    struct exp_reduced_d e = exp_reduce_d(limited_d(x, -38.0, 710.0));
    double r = e.r, p = mad(r, 0x1.1f1a36b173297p-29, 0x1.af5f2c470a40fp-26);
    p = mad(r, p, 0x1.27e5133987e42p-22);
    p = mad(r, p, 0x1.71ddf80f8671p-19);
    p = mad(r, p, 0x1.a01a018e0f1d8p-16);
    p = mad(r, p, 0x1.a01a01b0036dap-13);
    p = mad(r, p, 0x1.6c16c16c1aafep-10);
    p = mad(r, p, 0x1.111111110f655p-7);
    p = mad(r, p, 0x1.555555555554dp-5);
    p = mad(r, p, 0x1.5555555555559p-3);
    p = mad(r, p, 0.5);
    p = mad(r * r, p, r);
    double half_power = power_of_two_d(e.k - 1);
    return 2.0 * (half_power * p + (half_power - 0.5));
}
