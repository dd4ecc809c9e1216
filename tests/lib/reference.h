// SPDX-License-Identifier: Apache-2.0
// Reference values: `quick` in long double finds suspects, `exact` in MPFR decides. If `exact` is
// NULL the quick value is exact, or rounded once.
#ifndef TESTS_LIB_REFERENCE_H
#define TESTS_LIB_REFERENCE_H
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>

enum type { HALF, FLOAT, DOUBLE, TYPE_COUNT };

struct input {
    long double x, y;
    int n;
    enum type type;
};

struct reference {
    long double (*quick)(const struct input *in);
    void (*exact)(mpfr_t r, const struct input *in);
};

#define PI_L 3.141592653589793238462643383279502884L

// |x| mod 2 -> sin(x pi), reduced where it is small
static inline long double sinpil(long double x)
{
    long double r = x - 2 * rintl(x / 2), size = fabsl(r);
    return copysignl(sinl(PI_L * (size > 0.5L ? 1 - size : size)), r);
}
static inline long double cospil(long double x)
{
    return sinpil(0.5L - fabsl(x - 2 * rintl(x / 2)));
}
static inline long double tanpil(long double x)
{
    return sinpil(x) / cospil(x);
}
static inline long double divl(long double x, long double y)
{
    return x / y;
}
static inline long double asinpil(long double x)
{
    return asinl(x) / PI_L;
}
static inline long double acospil(long double x)
{
    return acosl(x) / PI_L;
}
static inline long double atanpil(long double x)
{
    return atanl(x) / PI_L;
}
static inline long double atan2pil(long double y, long double x)
{
    return atan2l(y, x) / PI_L;
}
static inline long double powrl(long double x, long double y)
{
    return x < 0 ? NAN : powl(x, y);
}
static inline long double gammal_true(long double x)
{
    return tgammal(x);
}
#define exp10l(x) powl(10, x)
#define gammal gammal_true

#define ONE_ARGUMENT(X)                                                                            \
    X(sqrt) X(exp)                                                                                         \
    X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(sinpi)       \
        X(cospi) X(tanpi) X(asin) X(acos) X(atan) X(asinpi) X(acospi) X(atanpi) X(sinh) X(cosh)    \
            X(tanh) X(asinh) X(acosh) X(atanh) X(cbrt) X(erf) X(erfc) X(gamma)
#define TWO_ARGUMENTS(X) X(div) X(pow) X(powr) X(atan2) X(atan2pi) X(hypot) X(fmod) X(remainder)

#define DEFINE_ONE(f)                                                                              \
    static long double quick_##f(const struct input *in)                                           \
    {                                                                                              \
        return f##l(in->x);                                                                        \
    }                                                                                              \
    static void exact_##f(mpfr_t r, const struct input *in)                                        \
    {                                                                                              \
        mpfr_set_ld(r, in->x, MPFR_RNDN);                                                          \
        mpfr_##f(r, r, MPFR_RNDN);                                                                 \
    }
ONE_ARGUMENT(DEFINE_ONE)

#define DEFINE_TWO(f)                                                                              \
    static long double quick_##f(const struct input *in)                                           \
    {                                                                                              \
        return f##l(in->x, in->y);                                                                 \
    }                                                                                              \
    static void exact_##f(mpfr_t r, const struct input *in)                                        \
    {                                                                                              \
        mpfr_t y;                                                                                  \
        mpfr_init2(y, 64);                                                                         \
        mpfr_set_ld(y, in->y, MPFR_RNDN);                                                          \
        mpfr_set_ld(r, in->x, MPFR_RNDN);                                                          \
        mpfr_##f(r, r, y, MPFR_RNDN);                                                              \
        mpfr_clear(y);                                                                             \
    }
TWO_ARGUMENTS(DEFINE_TWO)

#define REF1(f)                                                                                    \
    {                                                                                              \
        quick_##f, exact_##f                                                                       \
    }
#define REF2(f)                                                                                    \
    {                                                                                              \
        quick_##f, exact_##f                                                                       \
    }

static long double quick_pown(const struct input *in)
{
    return powl(in->x, in->n);
}
static void exact_pown(mpfr_t r, const struct input *in)
{
    mpfr_set_ld(r, in->x, MPFR_RNDN);
    mpfr_pow_si(r, r, in->n, MPFR_RNDN);
}
#define ref_pown                                                                                   \
    {                                                                                              \
        quick_pown, exact_pown                                                                     \
    }

static long double quick_rootn(const struct input *in)
{
    long double r = powl(fabsl(in->x), 1.0L / in->n);
    return in->n & 1 ? copysignl(r, in->x) : r;
}
static void exact_rootn(mpfr_t r, const struct input *in)
{
    mpfr_set_ld(r, in->x, MPFR_RNDN);
    mpfr_rootn_si(r, r, in->n, MPFR_RNDN);
}
#define ref_rootn                                                                                  \
    {                                                                                              \
        quick_rootn, exact_rootn                                                                   \
    }

static void exact_powr_nan(mpfr_t r, const struct input *in) // powr(1, NaN) is NaN
{
    exact_powr(r, in);
    if (isnan(in->y))
        mpfr_set_nan(r);
}
#define ref_powr                                                                                   \
    {                                                                                              \
        quick_powr, exact_powr_nan                                                                 \
    }

static long double quick_rsqrt(const struct input *in)
{
    return 1 / sqrtl(in->x);
}
static void exact_rsqrt(mpfr_t r, const struct input *in) // 1 / sqrt(-0) is -infinity
{
    mpfr_set_ld(r, in->x, MPFR_RNDN);
    mpfr_sqrt(r, r, MPFR_RNDN);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
}
#define ref_rsqrt                                                                                  \
    {                                                                                              \
        quick_rsqrt, exact_rsqrt                                                                   \
    }

static long double quick_lgamma(const struct input *in)
{
    return lgammal(in->x);
}
static void exact_lgamma(mpfr_t r, const struct input *in)
{
    int sign;
    mpfr_set_ld(r, in->x, MPFR_RNDN);
    mpfr_lgamma(r, &sign, r, MPFR_RNDN);
}
#define ref_lgamma                                                                                 \
    {                                                                                              \
        quick_lgamma, exact_lgamma                                                                 \
    }

// ---- exact ones ---------------------------------------------------------------------------------

static long double quick_ldexp(const struct input *in)
{
    return ldexpl(in->x, in->n);
}
static long double quick_logb(const struct input *in)
{
    return logbl(in->x);
}
static long double quick_modf(const struct input *in)
{
    return copysignl(isinf(in->x) ? 0 : in->x - truncl(in->x), in->x);
}

static long double quick_frexp(const struct input *in)
{
    int n;
    return frexpl(in->x, &n);
}

// Below 1: rounding to the type must not give 1.
static long double quick_fract(const struct input *in)
{
    static const long double below[] = {0x1.ffcp-1L, 0x1.fffffep-1L, 0x1.fffffffffffffp-1L};
    long double y = in->x - floorl(in->x);
    if (isinf(in->x) || in->x == 0)
        return copysignl(0, in->x);
    return y > below[in->type] ? below[in->type] : y;
}

static long double quick_ilogb(const struct input *in)
{
    if (isnan(in->x) || isinf(in->x))
        return INT_MAX; // FP_ILOGBNAN is INT_MAX here
    return in->x == 0 ? INT_MIN : (long double)ilogbl(in->x);
}

static long double quick_nextafter(const struct input *in)
{
    static const int digits[] = {11, 24, 53}, lowest[] = {-24, -149, -1074},
                     highest[] = {16, 128, 1024};
    if (isnan(in->x) || isnan(in->y))
        return NAN;
    if (in->x == in->y)
        return in->y;
    bool up = in->y > in->x;
    long double largest = ldexpl(2 - ldexpl(1, 1 - digits[in->type]), highest[in->type] - 1);
    if (isinf(in->x))
        return copysignl(largest, in->x);
    int e = in->x == 0 ? lowest[in->type] : (int)logbl(in->x) - digits[in->type] + 1;
    long double mantissa;
    int unused;
    mantissa = fabsl(frexpl(in->x, &unused));
    bool inwards = in->x != 0 && up != (in->x > 0);
    if (mantissa == 0.5L && inwards)
        e--; // below a power of two the spacing is smaller
    e = e < lowest[in->type] ? lowest[in->type] : e;
    long double y = in->x + (up ? 1 : -1) * ldexpl(1, e);
    if (y == 0)
        return copysignl(0, in->x);
    return fabsl(y) > largest ? copysignl(INFINITY, y) : y;
}
#define ref_ldexp                                                                                  \
    {                                                                                              \
        quick_ldexp, NULL                                                                          \
    }
#define ref_logb                                                                                   \
    {                                                                                              \
        quick_logb, NULL                                                                           \
    }
#define ref_modf                                                                                   \
    {                                                                                              \
        quick_modf, NULL                                                                           \
    }
#define ref_frexp                                                                                  \
    {                                                                                              \
        quick_frexp, NULL                                                                          \
    }
#define ref_fract                                                                                  \
    {                                                                                              \
        quick_fract, NULL                                                                          \
    }
#define ref_ilogb                                                                                  \
    {                                                                                              \
        quick_ilogb, NULL                                                                          \
    }
#define ref_nextafter                                                                              \
    {                                                                                              \
        quick_nextafter, NULL                                                                      \
    }

#endif
