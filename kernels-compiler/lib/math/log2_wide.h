// SPDX-License-Identifier: Apache-2.0
// The binary logarithm of a double in two doubles: the method of pow.cl, with the cubic term in two parts as well.
// The error is 2^-66 of the logarithm, which is multiplied by up to 2^10 in the exponent.
#include "math/power_double.h"

struct centred_d {
    double k, c, f;
};

// x = 2^k (c + f), c 1 or 1.5, from a normal number's bits
static struct centred_d centre_d(ulong bits)
{
    int half_steps = ((int)(bits >> 32) - 0x3feb8000) & (int)0xfff80000u; // c + f in 0.859375 .. 1.71875
    struct centred_d x;
    x.c = as_double((ulong)(0x3ff00000u | ((uint)half_steps & 0x00080000u)) << 32);
    x.f = as_double(bits - ((ulong)((uint)half_steps & 0xfff00000u) << 32)) - x.c;
    x.k = (double)(half_steps >> 20);
    return x;
}

// The terms after C3 s^3, divided by s^5, as a function of s^2: |s| < 0.1035, 2^-71 of the logarithm (own minimax
// fit)
static double log2_tail_d(double square)
{
    double p = mad(square, 0x1.65133d49b4ea2p-3, 0x1.89eac58681dep-3);
    p = mad(square, p, 0x1.c68eee7fa3005p-3);
    p = mad(square, p, 0x1.0c9a85502473bp-2);
    p = mad(square, p, 0x1.484b13d6d9c5ep-2);
    p = mad(square, p, 0x1.a61762a7ae5e9p-2);
    return mad(square, p, 0x1.2776c50ef9bfep-1);
}

// log2 x, x > 0 and finite
static struct two_doubles log2_wide_d(double x)
{
    bool tiny = x < 0x1p-1022;
    struct centred_d l = centre_d(as_ulong(tiny ? x * 0x1p54 : x));
    double k = tiny ? l.k - 54.0 : l.k, odd = l.c - 1.0, twice = l.c + l.c, f = l.f;
    double sum = twice + f, below = leading_d(sum), rest = f - (below - twice);
    double inverse = 1.0 / sum, s_high = leading_d(f * inverse);
    double s_low = inverse * ((f - s_high * below) - s_high * rest), s = s_high + s_low;

    double square = s * s, square_high = leading_d(square);
    double square_low = (s_high * s_high - square_high) + s_low * (s + s_high);
    double cube = s_high * square_high, cube_rest = s_low * square + s_high * square_low;
    double cube_high = leading_d(cube + cube_rest), cube_low = (cube - cube_high) + cube_rest;

    double first = s_high * 0x1.7154764p+1, third = cube_high * 0x1.ec709d8p-1;
    double low = cube_low * 0x1.ec709dc3a03fdp-1 + cube_high * 0x1.0e80ff5d27f05p-27 +
                 s * square * square * log2_tail_d(square);
    low = s_low * 0x1.71547652b82fep+1 + (s_high * 0x1.2b82fe1777d1p-27 + (odd * 0x1.ad0f3f4016241p-40 + low));
    double mantissa = first + third;
    low += (first - mantissa) + third;
    double whole = mad(odd, 0x1.2b803473f6p+0, k), all = whole + mantissa; // the sum in `whole` is exact
    low += (whole - all) + mantissa;
    struct two_doubles r;
    r.high = leading_d(all + low);
    r.low = (all - r.high) + low;
    return r;
}

// The same if fma is fused, x normal; the high part has 53 bits. The quotient starts with the reciprocal square root
// of a float.
static struct two_doubles quick_log2_wide_d(double x)
{
    struct centred_d l = centre_d(as_ulong(x));
    double odd = l.c - 1.0, twice = l.c + l.c, f = l.f, inverse = near_inverse_d(twice + f);
    double near = f * inverse, rest = mad(-near, f, mad(-near, twice, f)) * inverse;
    double s = near + rest, s_low = (near - s) + rest;

    double square = s * s, square_low = mad(s + s, s_low, mad(s, s, -square));
    double cube = s * square, cube_low = mad(s, square_low, mad(s_low, square, mad(s, square, -cube)));

    double first = s * 0x1.71547652b82fep+1, third = cube * 0x1.ec709dc3a03fdp-1, mantissa = first + third;
    double low = mad(s, 0x1.71547652b82fep+1, -first), low_third = mad(cube, 0x1.ec709dc3a03fdp-1, -third);
    low = mad(s, 0x1.777d0ffda0d24p-55, mad(odd, 0x1.ad0f3f4016241p-40, low));
    low_third = mad(cube_low, 0x1.ec709dc3a03fdp-1, mad(cube, 0x1.d27f05548af0cp-55, low_third));
    low = mad(s_low, 0x1.71547652b82fep+1, low) + mad(cube * square, log2_tail_d(square), low_third);
    low += (first - mantissa) + third;
    double whole = mad(odd, 0x1.2b803473f6p+0, l.k), all = whole + mantissa;
    low += (whole - all) + mantissa;
    struct two_doubles r;
    r.high = all + low;
    r.low = (all - r.high) + low;
    return r;
}
