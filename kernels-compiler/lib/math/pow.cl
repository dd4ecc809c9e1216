// SPDX-License-Identifier: Apache-2.0
// pow, powr, pown, rootn: 2^(y log2 x) with the logarithm and the product in two floats each. The error before the
// last rounding is below 0.5 ULP wherever the result is exactly representable, which makes it exact
// (tests/lib/exact.c).
//
// x = 2^k (c + f), c 1 or 1.5. log2 x = k + log2 c + C s + s^3 P(s^2), s = f / (2c + f), C = 2 / ln 2 (the method of
// Ng's and Cody's pow). With two centers the cubic term is below 2^-8 of the sum, so that one float suffices for it:
// the error is below 2^-31 of the logarithm. Own minimax fits.
#include "lib.h"
#include "math/log_core.h"
#include "math/power.h"

struct centred {
    float k, c, f;
};

static struct centred centre(int bits)
{
    int half_steps = (bits - 0x3f5c0000) & (int)0xffc00000u; // c + f in 0.859375 .. 1.71875
    struct centred x;
    x.c = as_float(0x3f800000 | (half_steps & 0x00400000));
    x.f = as_float(bits - (half_steps & (int)0xff800000u)) - x.c;
    x.k = (float)(half_steps & (int)0xff800000u); // times 2^23
    return x;
}

// (log2((1 + s) / (1 - s)) - C s) / s^3 as a function of s^2, |s| < 0.1035; 2^-34.2 of C s
static float log2_tail(float square)
{
    float p = mad(square, 0x1.ab4172p-2f, 0x1.27744cp-1f);
    return mad(square, p, 0x1.ec709ep-1f);
}

// log2 x, x > 0 and finite. Leading parts have 12 bits, so that their products are exact without a fused multiply-add.
static struct two_floats log2_wide(float x)
{
    bool tiny = x < 0x1p-126f;
    struct centred l = centre(as_int(tiny ? x * 0x1p24f : x));
    float k = mad(l.k, 0x1p-23f, tiny ? -24.0f : 0.0f), odd = l.c - 1.0f, f = l.f;
    float sum = (l.c + l.c) + f, below = leading(sum), rest = f - (below - (l.c + l.c));
    float inverse = 1.0f / sum, s_high = leading(f * inverse);
    float s_low = inverse * ((f - s_high * below) - s_high * rest);
    float s = s_high + s_low, square = s * s;

    float top = s_high * 0x1.714p+1f;
    float low = (s_low * 0x1.715476p+1f + (s_high * 0x1.47652cp-11f + odd * 0x1.a39fbep-19f)) +
                s * square * log2_tail(square);
    float whole = mad(odd, 0x1.2b8p+0f, k); // exact
    float first = whole + top, all_low = ((whole - first) + top) + low;
    struct two_floats r;
    r.high = leading(first + all_low);
    r.low = (first - r.high) + all_low;
    return r;
}

// The same if fma is fused, x with is_usual(); the high part has 24 bits.
static struct two_floats quick_log2_wide(float x)
{
    struct centred l = centre(as_int(x));
    float twice = l.c + l.c, odd = l.c - 1.0f, f = l.f;
    float root = native_rsqrt(twice + f), inverse = root * root, s = f * inverse, square = s * s;
    float s_low = mad(-s, f, mad(-s, twice, f)) * inverse;
    s_low = mad(s_low, square, s_low); // multiplies by the logarithm's derivative

    float top = s * 0x1.715476p+1f, low = mad(s, 0x1.715476p+1f, -top);
    low = mad(s, 0x1.4ae0cp-25f, low);
    low = mad(odd, 0x1.a39fbep-19f, low);
    low = mad(s_low, 0x1.715476p+1f, low);
    low = mad(s * square, log2_tail(square), low);
    float whole = mad(odd, 0x1.2b8p+0f, l.k * 0x1p-23f);
    float first = whole + top, all_low = ((whole - first) + top) + low;
    struct two_floats r;
    r.high = first + all_low;
    r.low = (first - r.high) + all_low;
    return r;
}

// x^y for x > 0 and finite; also for 0 and infinity unless y = 0.
static float power(float x, struct two_floats y)
{
    struct two_floats l = log2_wide(x), t;
    t.high = y.high * l.high;
    t.low = y.low * l.high + (y.high + y.low) * l.low;
    float r = exp2_wide(t);
    bool zero = x == 0.0f;
    float ends = zero == (y.high + y.low < 0.0f) ? INFINITY : 0.0f;
    return zero || x == INFINITY ? ends : r;
}

// Above 2^40 results do not change, and no product overflows.
static struct two_floats exponent(float y)
{
    return two_floats_of(limited(y, -0x1p40f, 0x1p40f));
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

// y log2 x as a sum of two floats: 24 bits and the remainder
static struct two_floats quick_product(float y, struct two_floats l)
{
    struct two_floats t;
    t.high = y * l.high;
    t.low = mad(y, l.low, mad(y, l.high, -t.high));
    return t;
}

// Whether the quick form applies: x with is_usual() and results in 2^-125 .. 2^125.
static bool is_quick(float x, struct two_floats t)
{
    return is_usual(x) && fabs(t.high) < 125.0f;
}

// |x|^y -> x^y for negative x
static float with_sign(float r, float x, float y)
{
    bool whole = trunc(y) == y, odd = whole && trunc(0.5f * y) != 0.5f * y;
    r = odd ? copysign(r, x) : r;
    return !whole && x < 0.0f && x > -INFINITY ? NAN : r;
}

static float any_pow(float x, float y)
{
    float r = with_sign(power(fabs(x), exponent(y)), x, y);
    r = isnan(x) || isnan(y) ? NAN : r;
    return y == 0.0f || x == 1.0f ? 1.0f : r;
}

// pow: 1.19 ULP at 0x1.39211cp+0, -0x1.52324ep+8.
LIB float pow(float x, float y)
{
    float size = fabs(x);
    struct two_floats t;
    if (QUICK)
        t = quick_product(y, quick_log2_wide(size));
    if (!QUICK || !is_quick(size, t))
        return any_pow(x, y);
    float r = quick_exp2_wide(t);
    return as_int(x) < 0 ? with_sign(r, x, y) : r;
}

// For -cl-unsafe-math-optimizations, x with is_usual() and y finite: a single center, with the rounding error of the
// product; the quotient and 2^p by the device, the latter in two factors. 4.2 ULP.
static float relaxed_power(float x, float y)
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

LIB float relaxed_pow(float x, float y)
{
    return is_usual(x) && fabs(y) < INFINITY ? relaxed_power(x, y) : any_pow(x, y);
}

static float any_powr(float x, float y)
{
    float r = power(fabs(x), exponent(y));
    bool ends = x == 0.0f || x == INFINITY;
    bool bad = !(x >= 0.0f) || isnan(y) || (ends && y == 0.0f) || (x == 1.0f && isinf(y));
    return bad ? NAN : r;
}

// powr: as pow.
LIB float powr(float x, float y)
{
    struct two_floats t;
    if (QUICK)
        t = quick_product(y, quick_log2_wide(x));
    return QUICK && is_quick(x, t) ? quick_exp2_wide(t) : any_powr(x, y);
}

// Whether n is exact in a float, with some margin
static bool is_short(int n)
{
    return (uint)n + 0x800000u < 0x1000000u;
}

static float any_pown(float x, int n) // |x|^n
{
    float r = power(fabs(x), exponent_of_int(n));
    r = isnan(x) ? x : r;
    return n == 0 ? 1.0f : r;
}

// pown: 1.3 ULP at 0x1.380e6ep+0, 446.
LIB float pown(float x, int n)
{
    float size = fabs(x);
    struct two_floats t;
    if (QUICK)
        t = quick_product((float)n, quick_log2_wide(size));
    float r = QUICK && is_quick(size, t) && is_short(n) ? quick_exp2_wide(t) : any_pown(x, n);
    return n & 1 ? copysign(r, x) : r;
}

// log2 x / n: a quotient and its remainder
static struct two_floats quick_share(struct two_floats l, float n)
{
    float root = native_rsqrt(fabs(n)), inverse = copysign(root * root, n);
    struct two_floats t;
    t.high = l.high * inverse;
    t.low = (mad(-t.high, n, l.high) + l.low) * inverse;
    return t;
}

static float any_rootn(float x, int n)
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

// rootn: 0.88 ULP at 0x1.6c2baap+8, -18. 1 / n in two floats too.
LIB float rootn(float x, int n)
{
    float size = fabs(x);
    struct two_floats t;
    if (QUICK)
        t = quick_share(quick_log2_wide(size), (float)n);
    bool quick = QUICK && is_quick(size, t) && is_short(n) && n != 0 && (n & 1 || x > 0.0f);
    return quick ? copysign(quick_exp2_wide(t), x) : any_rootn(x, n);
}
