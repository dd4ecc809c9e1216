// SPDX-License-Identifier: Apache-2.0
// The binary logarithm of a double in two doubles: pow.cl's arrangement, with the cubic term in two
// parts as well, since what is left out is multiplied by up to 2^10 in the exponent.
#include "math/exp_double.h"
#include "math/log_double.h"

struct two_doubles {
    double high, low; // 26 bits; the rest
};

// log2 x, x > 0 and finite; polynomial for s^5 and up (own minimax fit)
static struct two_doubles log2_wide_d(double x)
{
    struct log_reduced_d l = log_reduce_d(x);
    double f = l.f, below = leading_d(2.0 + f), rest = f - (below - 2.0);
    double inverse = 1.0 / (2.0 + f);
    double s = f * inverse, s_high = leading_d(s);
    double s_low = inverse * ((f - s_high * below) - s_high * rest);

    double square = s * s, square_high = leading_d(square);
    double square_low = (s_high * s_high - square_high) + s_low * (s + s_high);
    double cube = s_high * square_high, cube_rest = s_low * square + s_high * square_low;
    double cube_high = leading_d(cube + cube_rest), cube_low = (cube - cube_high) + cube_rest;

    double p = mad(square, 0x1.8846e06c37964p-3, 0x1.876cd20c7778ap-3);
    p = mad(square, p, 0x1.c6a29e8f941b4p-3);
    p = mad(square, p, 0x1.0c9a5aa8c19c9p-2);
    p = mad(square, p, 0x1.484b143fb3cc5p-2);
    p = mad(square, p, 0x1.a61762a724614p-2);
    p = mad(square, p, 0x1.2776c50ef9e92p-1);

    double first = s_high * 0x1.7154760000000p+1, third = cube_high * 0x1.ec709d8p-1;
    double low = cube_low * 0x1.ec709dc3a03fdp-1 + cube_high * 0x1.0e80ff5d27f05p-27 +
                 s * square * square * p;
    low = s_low * 0x1.71547652b82fep+1 + s_high * 0x1.4ae0bf85ddf44p-25 + low;
    double mantissa = first + third;
    low += (first - mantissa) + third;
    double sum = l.k + mantissa;
    low += (l.k - sum) + mantissa;
    struct two_doubles r;
    r.high = leading_d(sum + low);
    r.low = (sum - r.high) + low;
    return r;
}
