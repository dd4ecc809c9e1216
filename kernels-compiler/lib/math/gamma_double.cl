// SPDX-License-Identifier: Apache-2.0
// tgamma of double: as for float (gamma.cl) for |x| <= 12; above it Stirling's series as a power of two whose
// exponent is a sum of two doubles, and reflection for negative x. lgamma: as for float.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/log2_wide.h"

// Gamma(1 + f), 0 <= f <= 1; 2^-55.3 relative (own minimax fit)
static double gamma_poly_d(double f)
{
    double p = mad(f, -0x1.1963ead77b629p-12, 0x1.a306c243283bep-9);
    p = mad(f, p, -0x1.2840e94239e0bp-6);
    p = mad(f, p, 0x1.09b5f668fac31p-4);
    p = mad(f, p, -0x1.557799c024fb9p-3);
    p = mad(f, p, 0x1.51a24bb862f5fp-2);
    p = mad(f, p, -0x1.0e76c12ecf393p-1);
    p = mad(f, p, 0x1.6ec71de210de8p-1);
    p = mad(f, p, -0x1.b6b5fba224ef7p-1);
    p = mad(f, p, 0x1.e15a7104e8008p-1);
    p = mad(f, p, -0x1.f5709e2953f2cp-1);
    p = mad(f, p, 0x1.fce0fefcd39d2p-1);
    p = mad(f, p, -0x1.fedf3129c8f27p-1);
    p = mad(f, p, 0x1.feec28ded629cp-1);
    p = mad(f, p, -0x1.fdf057dcf48bep-1);
    p = mad(f, p, 0x1.fc7db12f31af8p-1);
    p = mad(f, p, -0x1.f6c8089caa55cp-1);
    p = mad(f, p, 0x1.f6a5100c20ba0p-1);
    p = mad(f, p, -0x1.d0a118f111134p-1);
    p = mad(f, p, 0x1.fa658c23a94a3p-1);
    p = mad(f, p, -0x1.2788cfc6fb552p-1);
    return mad(f, p, 1.0);
}

// The sum of Stirling's series, x >= 12; 2^-57 absolute
static double stirling_series(double x)
{
    double inverse = 1.0 / x, square = inverse * inverse;
    double p = mad(square, 0x1.a41a41a41a41ap-8, -0x1.f6ab0d9993c7dp-10);
    p = mad(square, p, 0x1.b951e2b18ff23p-11);
    p = mad(square, p, -0x1.3813813813814p-11);
    p = mad(square, p, 0x1.a01a01a01a01ap-11);
    p = mad(square, p, -0x1.6c16c16c16c17p-9);
    return inverse * mad(square, p, 0x1.5555555555555p-4);
}

// Gamma(x) = result * 2^k, 12 <= x <= 190: exponent (x - 1/2) log2 x + (series - x) log2 e
static double stirling(double x, private int *k)
{
    struct two_doubles l = log2_wide_d(x);
    double power = x - 0.5, power_high = leading_d(power), x_high = leading_d(x);
    double first = power_high * l.high, second = -x_high * 0x1.715476p+0;
    double low = (power - power_high) * l.high + power * l.low;
    low += -x_high * 0x1.4ae0bf85ddf44p-26 +
           (stirling_series(x) - (x - x_high)) * 0x1.71547652b82fep+0;
    double sum = first + second;
    low += (first - sum) + second;
    double whole = rint(sum + low);
    *k = (int)whole;
    return exp_poly_d(((sum - whole) + low) * 0x1.62e42fefa39efp-1) * 0x1.40d931ff62706p+1;
}

static double gamma_near(double x) // |x| <= 12
{
    double whole = floor(x), f = x - whole;
    bool up = x >= 1.0;
    double step = up ? -1.0 : 1.0, factor = up ? x - 1.0 : x, product = 1.0;
    for (int count = (int)(up ? whole - 1.0 : 1.0 - whole); count > 0; count--) {
        product *= factor;
        factor += step;
    }
    double g = gamma_poly_d(f);
    return up ? g * product : g / product;
}

static double gamma_far(double x) // |x| > 12
{
    double size = fmin(fabs(x), 190.0);
    int k;
    double g = stirling(size, &k);
    if (x > 0.0)
        return scale_d(g, k);
    return scale_d(-0x1.921fb54442d18p+1 / (size * fabs(sinpi(x)) * g), -k) *
           (fmod(floor(x), 2.0) == 0.0 ? -1.0 : 1.0);
}

// tgamma: 4.64 ULP at -0x1.5da0673525eb4p+3.
LIB double tgamma(double x)
{
    if (isnan(x) || (x < 0.0 && x == floor(x)))
        return NAN;
    return fabs(x) <= 12.0 ? gamma_near(x) : gamma_far(x);
}

// log Gamma(2 + t), |t| <= 1/2; 2^-53.3 relative (own minimax fit)
static double lgamma_poly_d(double t)
{
    double p = mad(t, -0x1.4d24ebf98493ep-21, 0x1.461ea5d3734d1p-20);
    p = mad(t, p, -0x1.03b2e89cdc0e6p-19);
    p = mad(t, p, 0x1.1da3f8a276180p-18);
    p = mad(t, p, -0x1.3dd66946d42ccp-17);
    p = mad(t, p, 0x1.5886076fe74bdp-16);
    p = mad(t, p, -0x1.78d1b299dd818p-15);
    p = mad(t, p, 0x1.a123b078cd02dp-14);
    p = mad(t, p, -0x1.d3fda11d3bbd4p-13);
    p = mad(t, p, 0x1.0b36b92389614p-11);
    p = mad(t, p, -0x1.38ac5b8dcbb53p-10);
    p = mad(t, p, 0x1.7add6e9552febp-9);
    p = mad(t, p, -0x1.e404fc22b7398p-8);
    p = mad(t, p, 0x1.51322ac7e61d4p-6);
    p = mad(t, p, -0x1.13e001a5572b0p-4);
    p = mad(t, p, 0x1.4a34cc4a60f94p-2);
    return t * mad(t, p, 0x1.b0ee6072093cep-2);
}

// scale * (log(argument) - shift) + rest: a single logarithm, which dominates the cost.
static double lgamma_positive_d(double x)
{
    double scale = 1.0, argument = x, shift = 0.0, rest;
    if (x >= 12.0) {
        scale = x - 0.5;
        shift = 1.0;
        rest = 0x1.acfe390c97d69p-2 + stirling_series(x);
    } else {
        double nearest = x < 0.5 ? 0.0 : fmax(rint(x), 1.0);
        rest = lgamma_poly_d(x - nearest);
        if (nearest <= 1.0) {
            scale = -1.0;
            argument = nearest == 0.0 ? x + x * x : x;
        } else {
            argument = 1.0;
            for (; nearest > 2.0; nearest -= 1.0) {
                x -= 1.0;
                argument *= x;
            }
        }
    }
    return scale * (log(argument) - shift) + rest;
}

// lgamma: 9.17 ULP seen at 0x1.7d874d4c538ap+0. OpenCL sets no bound. Near the zeros for negative x, relative
// accuracy is lost.
LIB double lgamma(double x)
{
    double size = fabs(x), y = lgamma_positive_d(size);
    if (x < 0.0 && size > 0x1p-60) {
        double sine = fabs(sinpi(x));
        y = sine == 0.0 ? INFINITY : log(0x1.921fb54442d18p+1 / (sine * size)) - y;
    }
    return isnan(x) ? x : isinf(x) ? INFINITY : y;
}
#endif
