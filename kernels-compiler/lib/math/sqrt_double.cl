// SPDX-License-Identifier: Apache-2.0
// sqrt of doubles from the float reciprocal root, for devices whose own is slow. Correctly rounded (0.5 ULP).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// x = m 2^2k, m in 1 .. 4, the seed within 2^-22. Goldschmidt's step gives root and half inverse to 2^-43, the rest m - s^2,
// which is exact, 2^-86; the last one rounds once.
LIB double close_root(double x)
{
    ulong bits = as_ulong(x);
    uint high = (uint)(bits >> 32);
    if (high - 0x00100000u >= 0x7fe00000u) // no positive normal number
        return sqrt(x);
    uint even = (high - 0x3ff00000u) & 0xffe00000u;
    double m = as_double(bits - ((ulong)even << 32)), r = native_rsqrt((float)m);
    double s = m * r, h = 0.5 * r, e = fma(-h, s, 0.5);
    s = fma(s, e, s);
    h = fma(h, e, h);
    s = fma(fma(-s, s, m), h, s);
    s = fma(fma(-s, s, m), h, s);
    return as_double(as_ulong(s) + ((ulong)((int)even >> 1) << 32));
}
#endif
