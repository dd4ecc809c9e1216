// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown, rootn of double: as for float (pow.cl). The logarithm's error contributes less than 0.25 ULP to a
// power.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log2_wide.h"

// x^y for x > 0 and finite; also for 0 and infinity unless y = 0.
static double power_d(double x, struct two_doubles y)
{
    struct two_doubles l = log2_wide_d(x), t;
    t.high = y.high * l.high;
    t.low = y.low * l.high + (y.high + y.low) * l.low;
    double r = exp2_wide_d(t);
    bool zero = x == 0.0;
    double ends = zero == (y.high + y.low < 0.0) ? INFINITY : 0.0;
    return zero || x == INFINITY ? ends : r;
}

// Above 2^70 results do not change, and no product overflows.
static struct two_doubles exponent_d(double y)
{
    return two_doubles_of(limited_d(y, -0x1p70, 0x1p70));
}

// y log2 x as a sum of two doubles: 53 bits and the remainder
static struct two_doubles quick_product_d(double y, struct two_doubles l)
{
    struct two_doubles t;
    t.high = y * l.high;
    t.low = mad(y, l.low, mad(y, l.high, -t.high));
    return t;
}

// Whether the quick form applies: x normal and results in 2^-1020 .. 2^1020.
static bool is_quick_d(double x, struct two_doubles t)
{
    return (uint)(as_ulong(x) >> 32) - 0x00100000u < 0x7fe00000u && fabs(t.high) < 1020.0;
}

// |x|^y -> x^y for negative x
static double with_sign_d(double r, double x, double y)
{
    bool whole = trunc(y) == y, odd = whole && trunc(0.5 * y) != 0.5 * y;
    r = odd ? copysign(r, x) : r;
    return !whole && x < 0.0 && x > -INFINITY ? NAN : r;
}

static double any_pow_d(double x, double y)
{
    double r = with_sign_d(power_d(fabs(x), exponent_d(y)), x, y);
    r = isnan(x) || isnan(y) ? NAN : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}

// pow: 1 ULP at 0x0.fffffffffffffp-1022, 0x1.0000000000001p+0; 0.66 where the result is normal, as all of these.
LIB double pow(double x, double y)
{
    double size = fabs(x);
    struct two_doubles t;
    if (QUICK)
        t = quick_product_d(y, quick_log2_wide_d(size));
    if (!QUICK || !is_quick_d(size, t))
        return any_pow_d(x, y);
    double r = quick_exp2_wide_d(t);
    return as_long(x) < 0 ? with_sign_d(r, x, y) : r;
}

static double any_powr_d(double x, double y)
{
    double r = power_d(fabs(x), exponent_d(y));
    bool ends = x == 0.0 || x == INFINITY;
    bool bad = !(x >= 0.0) || isnan(y) || (ends && y == 0.0) || (x == 1.0 && isinf(y));
    return bad ? NAN : r;
}

// powr: as pow.
LIB double powr(double x, double y)
{
    struct two_doubles t;
    if (QUICK)
        t = quick_product_d(y, quick_log2_wide_d(x));
    return QUICK && is_quick_d(x, t) ? quick_exp2_wide_d(t) : any_powr_d(x, y);
}

static double any_pown_d(double x, int n) // |x|^n
{
    double r = power_d(fabs(x), exponent_d((double)n));
    r = isnan(x) ? x : r;
    return n == 0 ? 1.0 : r;
}

// pown: as pow.
LIB double pown(double x, int n)
{
    double size = fabs(x);
    struct two_doubles t;
    if (QUICK)
        t = quick_product_d((double)n, quick_log2_wide_d(size));
    double r = QUICK && is_quick_d(size, t) ? quick_exp2_wide_d(t) : any_pown_d(x, n);
    return n & 1 ? copysign(r, x) : r;
}

// log2 x / n: a quotient and its remainder
static struct two_doubles quick_share_d(struct two_doubles l, double n)
{
    double inverse = copysign(near_inverse_d(fabs(n)), n);
    struct two_doubles t;
    t.high = l.high * inverse;
    t.low = (mad(-t.high, n, l.high) + l.low) * inverse;
    return t;
}

static double any_rootn_d(double x, int n)
{
    double divisor = (double)n;
    struct two_doubles whole = exponent_d(divisor), y;
    y.high = leading_d(1.0 / divisor);
    y.low = ((1.0 - y.high * whole.high) - y.high * whole.low) / divisor;
    double r = power_d(fabs(x), y);
    r = n & 1 ? copysign(r, x) : r;
    bool bad = n == 0 || isnan(x) || (x < 0.0 && !(n & 1));
    return bad ? NAN : r;
}

// rootn: as pow. 1 / n in two doubles too.
LIB double rootn(double x, int n)
{
    double size = fabs(x);
    struct two_doubles t;
    if (QUICK)
        t = quick_share_d(quick_log2_wide_d(size), (double)n);
    bool quick = QUICK && is_quick_d(size, t) && n != 0 && (n & 1 || x > 0.0);
    return quick ? copysign(quick_exp2_wide_d(t), x) : any_rootn_d(x, n);
}
#endif
