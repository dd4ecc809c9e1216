// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown, rootn: 2^(y log2 x) with the logarithm and the product in two floats each.
//
// log2(1 + f) = C s + s^3 P(s^2), s = f / (2 + f), C = 2 / ln 2 (the arrangement of Ng's and Cody's
// pow). Leading parts have 12 bits, so that their products are exact without a fused multiply-add;
// what is left out is below 2^-30 of the logarithm.
#include "lib.h"
#include "math/exp_core.h"
#include "math/log_core.h"

struct two_floats {
    float high, low; // 12 bits; the rest
};

// log2 x, x > 0 and finite
static struct two_floats log2_wide(float x)
{
    struct log_reduced l = log_reduce(x);
    float f = l.f, below = leading(2.0f + f), rest = f - (below - 2.0f);
    float inverse = 1.0f / (2.0f + f);
    float s = f * inverse, s_high = leading(s);
    float s_low = inverse * ((f - s_high * below) - s_high * rest);
    float square = s * s, p = mad(square, 0x1.558c46p-2f, 0x1.a5f2aep-2f);
    p = mad(square, p, 0x1.2776b2p-1f);
    p = mad(square, p, 0x1.ec709ep-1f);
    float top = s_high * 0x1.714p+1f;
    float low = s_low * 0x1.715476p+1f + s_high * 0x1.47652cp-11f + s * square * p;
    float sum = l.k + top, sum_low = (l.k - sum) + top + low;
    struct two_floats r;
    r.high = leading(sum + sum_low);
    r.low = (sum - r.high) + sum_low;
    return r;
}

// x^y for x > 0 and finite; 0 and infinity too, but for y = 0.
static float power(float x, struct two_floats y)
{
    struct two_floats l = log2_wide(x);
    float high = y.high * l.high, low = y.low * l.high + (y.high + y.low) * l.low;
    float sum = high + low, k = limited(sum, -152.0f, 130.0f);
    low = k == sum ? low : 0.0f;
    high = k == sum ? high : k;
    k = rint(k);
    float r = scale(exp2_poly((high - k) + low), (int)k);
    bool zero = x == 0.0f;
    float ends = zero == (y.high + y.low < 0.0f) ? INFINITY : 0.0f;
    return zero || x == INFINITY ? ends : r;
}

// Beyond 2^40 nothing changes, and no product overflows.
static struct two_floats exponent(float y)
{
    struct two_floats r;
    y = limited(y, -0x1p40f, 0x1p40f);
    r.high = leading(y);
    r.low = y - r.high;
    return r;
}

static struct two_floats exponent_of_int(int n)
{
    struct two_floats r;
    int high = n & ~0xfffff;
    bool small = (n < 0 ? -n : n) < 0x1000000 && n != INT_MIN;
    float whole = (float)n;
    r.high = small ? leading(whole) : (float)high;
    r.low = small ? whole - r.high : (float)(n - high);
    return r;
}

// The quick form, x usual and y finite: the same series, but what a product loses comes from a fused
// multiply-add, and the quotient and 2^p from the device, the latter in two factors.
static float quick_power(float x, float y)
{
    struct log_reduced l = quick_log_reduce(x);
    float f = l.f, k = l.k * 0x1p-23f, below = 2.0f + f, rest = f - (below - 2.0f);
    float root = native_rsqrt(below), inverse = root * root, s = f * inverse;
    float s_low = mad(-s, rest, mad(-s, below, f)) * inverse;
    float square = s * s, p = mad(square, 0x1.558c46p-2f, 0x1.a5f2aep-2f);
    p = mad(square, p, 0x1.2776b2p-1f);
    p = mad(square, p, 0x1.ec709ep-1f);
    float top = s * 0x1.715476p+1f, low = mad(s, 0x1.715476p+1f, -top);
    low = mad(s, 0x1.4ae0cp-25f, low);
    low = mad(s_low, 0x1.715476p+1f, low);
    low = mad(s * square, p, low);
    float first = k + top, rest_of_first = ((k - first) + top) + low;
    float sum = first + rest_of_first, sum_low = (first - sum) + rest_of_first;
    float high = y * sum, root_of_most = native_exp2(0.5f * high); // high may be rounded up to 128
    low = mad(y, sum_low, mad(y, sum, -high));
    float factor = mad(root_of_most, low * 0x1.62e43p-1f, root_of_most);
    return root_of_most * (fabs(high) < 160.0f ? factor : root_of_most);
}

// pow: 4.13 ULP at 0x1.6bdabap+0, 0x1.36cadp+7.
LIB float pow(float x, float y)
{
    if (QUICK && is_usual(x) && fabs(y) < INFINITY)
        return quick_power(x, y);
    float size = fabs(x), r = power(size, exponent(y));
    bool whole = trunc(y) == y, odd = whole && trunc(0.5f * y) != 0.5f * y;
    bool inside = size > 0.0f && size < INFINITY;
    r = x < 0.0f && inside && !whole ? NAN : r;
    r = odd ? copysign(r, x) : r;
    r = isnan(x) || isnan(y) ? NAN : r;
    return y == 0.0f || x == 1.0f ? 1.0f : r;
}

// powr: 4.14 ULP at 0x1.67956ep+0, 0x1.1074dp+7.
LIB float powr(float x, float y)
{
    if (QUICK && is_usual(x) && fabs(y) < INFINITY)
        return quick_power(x, y);
    float r = power(fabs(x), exponent(y));
    bool ends = x == 0.0f || x == INFINITY;
    bool bad = !(x >= 0.0f) || isnan(y) || (ends && y == 0.0f) || (x == 1.0f && isinf(y));
    return bad ? NAN : r;
}

// pown: 5.2 ULP at 0x1.5f8212p+0, -245.
LIB float pown(float x, int n)
{
    float r = power(fabs(x), exponent_of_int(n));
    r = n & 1 ? copysign(r, x) : r;
    r = isnan(x) ? x : r;
    return n == 0 ? 1.0f : r;
}

// rootn: 2.2 ULP at -0x1.576c7cp-69, -15. 1 / n in two floats too.
LIB float rootn(float x, int n)
{
    struct two_floats whole = exponent_of_int(n), y;
    float divisor = (float)n;
    y.high = leading(1.0f / divisor);
    y.low = ((1.0f - y.high * whole.high) - y.high * whole.low) / divisor;
    float r = power(fabs(x), y);
    r = n & 1 ? copysign(r, x) : r;
    bool bad = n == 0 || isnan(x) || (x < 0.0f && !(n & 1));
    return bad ? NAN : r;
}
