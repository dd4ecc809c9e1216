// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown, rootn of double: as for float (pow.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log2_wide.h"

// x^y for x > 0 and finite; 0 and infinity too, but for y = 0.
static double power_d(double x, struct two_doubles y)
{
    struct two_doubles l = log2_wide_d(x);
    double high = y.high * l.high, low = y.low * l.high + (y.high + y.low) * l.low;
    double sum = high + low, k = limited_d(sum, -1080.0, 1026.0);
    low = k == sum ? low : 0.0;
    high = k == sum ? high : k;
    k = rint(k);
    double r = scale_d(exp_poly_d(((high - k) + low) * 0x1.62e42fefa39efp-1), (int)k);
    bool zero = x == 0.0;
    double ends = zero == (y.high + y.low < 0.0) ? INFINITY : 0.0;
    return zero || x == INFINITY ? ends : r;
}

// Beyond 2^70 nothing changes, and no product overflows.
static struct two_doubles exponent_d(double y)
{
    struct two_doubles r;
    y = limited_d(y, -0x1p70, 0x1p70);
    r.high = leading_d(y);
    r.low = y - r.high;
    return r;
}

// pow: 1.26 ULP at 0x1.5bf9c990ab5c4p+0, 0x1.609f70f80a394p+5.
LIB double pow(double x, double y)
{
    double size = fabs(x), r = power_d(size, exponent_d(y));
    bool whole = trunc(y) == y, odd = whole && trunc(0.5 * y) != 0.5 * y;
    bool inside = size > 0.0 && size < INFINITY;
    r = x < 0.0 && inside && !whole ? NAN : r;
    r = odd ? copysign(r, x) : r;
    r = isnan(x) || isnan(y) ? NAN : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}

// powr: 1.42 ULP at 0x1.921fb54442d18p+0, 0x1.80b38571063ccp+10.
LIB double powr(double x, double y)
{
    double r = power_d(fabs(x), exponent_d(y));
    bool ends = x == 0.0 || x == INFINITY;
    bool bad = !(x >= 0.0) || isnan(y) || (ends && y == 0.0) || (x == 1.0 && isinf(y));
    return bad ? NAN : r;
}

// pown: 4.04 ULP at -0x1.6a7ed25c083c9p+0, -1951.
LIB double pown(double x, int n)
{
    double r = power_d(fabs(x), exponent_d((double)n));
    r = n & 1 ? copysign(r, x) : r;
    r = isnan(x) ? x : r;
    return n == 0 ? 1.0 : r;
}

// rootn: 1.24 ULP at -0x1.626e4956a090dp+6, -1. 1 / n in two doubles too.
LIB double rootn(double x, int n)
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
#endif
