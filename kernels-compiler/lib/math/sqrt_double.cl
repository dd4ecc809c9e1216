// SPDX-License-Identifier: Apache-2.0
// sqrt and rsqrt of double from the reciprocal square root of floats, for devices whose own are not used.
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/device.h"

// The residual s^2 - x, which is exact, times the inverse, both in full precision: only the last sum rounds.
static double rounded_root(double x, struct roots_d r)
{
    return fma(fma(r.root, r.root, opposite(x)), r.minus_half_inverse, r.root);
}

// x is outside the range of floats: m 2^2k, m in 1 .. 4, or has no root.
__attribute__((noinline)) LIB double any_root(double x)
{
    uint2 bits = as_uint2(x);
    if (!(x > 0.0) || isinf(x))
        return x < 0.0 ? as_double(0x7ff8000000000000UL) : x;
    bool tiny = bits.y < 0x00100000u;
    bits = tiny ? as_uint2(x * 0x1p108) : bits;
    uint even = (bits.y - 0x3ff00000u) & 0xffe00000u;
    double m = of_words(bits.x, bits.y - even), s = rounded_root(m, quick_roots_d(m, high_of(m)));
    return of_words(as_uint2(s).x, high_of(s) + (uint)((int)even >> 1) - (tiny ? 0x03600000u : 0));
}

// Correctly rounded (0.5 ULP)
LIB double close_root(double x)
{
    struct roots_d r = quick_roots_d(x, high_of(x));
    return is_below(r.error, 0x3ed00000u) ? rounded_root(x, r) : any_root(x); // 2^-18
}

// 1.49 ULP: e is the square of the start times x, minus 1. It is small only if the start was valid.
LIB double close_rsqrt(double x)
{
    uint start = as_uint(native_rsqrt(float_of(high_of(x))));
    double r = of_words(0, (start >> 3) + 0x38000000u), e = mad(x * r, r, -1.0);
    if (!is_below(e, 0x3ee00000u)) // 2^-17
        return 1.0 / sqrt(x);
    return mad(r * e, mad(e, 0.375, -0.5), r);
}
#endif
