// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown, rootn of double: as for float (pow.cl). What a power makes of the logarithm's error is below 0.25 ULP.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log2_wide.h"

// x^y for x > 0 and finite; 0 and infinity too, but for y = 0.
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

// Beyond 2^70 nothing changes, and no product overflows.
static struct two_doubles exponent_d(double y)
{
    return two_doubles_of(limited_d(y, -0x1p70, 0x1p70));
}

// y log2 x, both in 53 bits and the rest of the second
static struct two_doubles quick_product_d(double y, struct two_doubles l)
{
    struct two_doubles t;
    t.high = y * l.high;
    t.low = mad(y, l.low, mad(y, l.high, -t.high));
    return t;
}

// The quick form is for x normal and results in 2^-1020 .. 2^1020.
static bool is_quick_d(double x, struct two_doubles t)
{
    return (uint)(as_ulong(x) >> 32) - 0x00100000u < 0x7fe00000u && fabs(t.high) < 1020.0;
}

// |x|^y -> x^y, where x is negative
static double with_sign_d(double r, double x, double y)
{
    bool whole = trunc(y) == y, odd = whole && trunc(0.5 * y) != 0.5 * y;
    r = odd ? copysign(r, x) : r;
    return !whole && x < 0.0 && x > -INFINITY ? NAN : r;
}

// pow: 1 ULP at 0x0.fffffffffffffp-1022, 0x1.0000000000001p+0; 0.66 where the result is normal, as all of these.
LIB double pow(double x, double y)
{
    double size = fabs(x);
    if (QUICK) {
        struct two_doubles t = quick_product_d(y, quick_log2_wide_d(size));
        if (is_quick_d(size, t)) {
            double quick = quick_exp2_wide_d(t);
            return as_long(x) < 0 ? with_sign_d(quick, x, y) : quick;
        }
    }
    double r = with_sign_d(power_d(size, exponent_d(y)), x, y);
    r = isnan(x) || isnan(y) ? NAN : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}

// powr: as pow.
LIB double powr(double x, double y)
{
    if (QUICK) {
        struct two_doubles t = quick_product_d(y, quick_log2_wide_d(x));
        if (is_quick_d(x, t))
            return quick_exp2_wide_d(t);
    }
    double r = power_d(fabs(x), exponent_d(y));
    bool ends = x == 0.0 || x == INFINITY;
    bool bad = !(x >= 0.0) || isnan(y) || (ends && y == 0.0) || (x == 1.0 && isinf(y));
    return bad ? NAN : r;
}

// pown: as pow.
LIB double pown(double x, int n)
{
    double size = fabs(x), r;
    if (QUICK) {
        struct two_doubles t = quick_product_d((double)n, quick_log2_wide_d(size));
        if (is_quick_d(size, t)) {
            r = quick_exp2_wide_d(t);
            return n & 1 ? copysign(r, x) : r;
        }
    }
    r = power_d(size, exponent_d((double)n));
    r = n & 1 ? copysign(r, x) : r;
    r = isnan(x) ? x : r;
    return n == 0 ? 1.0 : r;
}

// log2 x / n: a quotient and what it leaves
static struct two_doubles quick_share_d(struct two_doubles l, double n)
{
    double inverse = copysign(near_inverse_d(fabs(n)), n);
    struct two_doubles t;
    t.high = l.high * inverse;
    t.low = (mad(-t.high, n, l.high) + l.low) * inverse;
    return t;
}

// rootn: as pow. 1 / n in two doubles too.
LIB double rootn(double x, int n)
{
    double size = fabs(x), divisor = (double)n, r;
    if (QUICK) {
        struct two_doubles t = quick_share_d(quick_log2_wide_d(size), divisor);
        if (is_quick_d(size, t) && n != 0 && (n & 1 || x > 0.0))
            return copysign(quick_exp2_wide_d(t), x);
    }
    struct two_doubles whole = exponent_d(divisor), y;
    y.high = leading_d(1.0 / divisor);
    y.low = ((1.0 - y.high * whole.high) - y.high * whole.low) / divisor;
    r = power_d(size, y);
    r = n & 1 ? copysign(r, x) : r;
    bool bad = n == 0 || isnan(x) || (x < 0.0 && !(n & 1));
    return bad ? NAN : r;
}
#endif
