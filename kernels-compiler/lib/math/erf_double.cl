// SPDX-License-Identifier: Apache-2.0
// erf, erfc of double: as for float (erf.cl).
#include "lib.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "math/power_double.h"

// |x| <= 1; 2^-56.0 relative
static double erf_poly_d(double x)
{
    double square = x * x, p = mad(square, 0x1.bcc7673e2df7bp-35, -0x1.290ef2aba08dap-30);
    p = mad(square, p, 0x1.f253bae72eb8cp-27);
    p = mad(square, p, -0x1.5e94fcc839227p-23);
    p = mad(square, p, 0x1.b9cd799776869p-20);
    p = mad(square, p, -0x1.f4d05fc887746p-17);
    p = mad(square, p, 0x1.f9a30b576b8ccp-14);
    p = mad(square, p, -0x1.c02db2f9c2b97p-11);
    p = mad(square, p, 0x1.565bcd07fa605p-8);
    p = mad(square, p, -0x1.b82ce3125647ap-6);
    p = mad(square, p, 0x1.ce2f21a041df3p-4);
    p = mad(square, p, -0x1.812746b0379cap-2);
    return x * mad(square, p, 0x1.20dd750429b6dp0);
}

// erfc, x >= 1; polynomial: 2^-53.7 relative
static double erfc_tail_d(double x)
{
    x = limited_d(x, 0.0, 27.5);
    double high = leading_d(x), low = x - high, square = x * x;
    double lost = ((high * high - square) + 2.0 * high * low) + low * low;
    double t = (x - 3.0) / (x + 3.0), p = mad(t, -0x1.28bb10035b86ep-26, 0x1.cad5aa2f1fc47p-25);
    p = mad(t, p, 0x1.63432bbc6f39dp-25);
    p = mad(t, p, -0x1.088f0c0591199p-22);
    p = mad(t, p, -0x1.3d6b87dd2b74ap-22);
    p = mad(t, p, 0x1.51ab200b3d10bp-20);
    p = mad(t, p, 0x1.1c6784970de65p-19);
    p = mad(t, p, -0x1.0bbd8e27e914dp-17);
    p = mad(t, p, -0x1.af82ecaf8f42cp-17);
    p = mad(t, p, 0x1.0cac53ad966dbp-14);
    p = mad(t, p, 0x1.7ba0d809581bap-15);
    p = mad(t, p, -0x1.39084c6f32233p-11);
    p = mad(t, p, 0x1.73101eb704412p-11);
    p = mad(t, p, 0x1.17c838ee0a2cp-8);
    p = mad(t, p, -0x1.8fa58eb5f05eep-6);
    p = mad(t, p, 0x1.258b13b018489p-4);
    p = mad(t, p, -0x1.336ffbef08a54p-3);
    p = mad(t, p, 0x1.f6ff204105955p-3);
    p = mad(t, p, -0x1.4e102b9cf8514p-2);
    p = mad(t, p, 0x1.6e9827d229d2dp-3);
    return exp_wide_d(-square, -lost, 0) * p;
}

// 1 - e^-P(x - 1), x >= 1, for fused multiply-adds: P is -log(erfc x), 2^-54.7 of 1 (own minimax fit). From 5.95 on the result is 1.
static double quick_erf_beyond_d(double x)
{
    double t = (x < 5.95 ? x : 5.95) - 1.0, p = mad(t, -0x1.31f20ca5f866dp-36, 0x1.8e736195ddb33p-32);
    p = mad(t, p, -0x1.b75a2b49e93fbp-29);
    p = mad(t, p, 0x1.daeeb71f63c8dp-27);
    p = mad(t, p, -0x1.0bb8dfadb93a3p-27);
    p = mad(t, p, -0x1.3f576bb70123cp-22);
    p = mad(t, p, 0x1.2ed816847f943p-19);
    p = mad(t, p, -0x1.489f1a70bf22bp-17);
    p = mad(t, p, 0x1.c9caa44555afap-16);
    p = mad(t, p, -0x1.b9ef2dcafd12ep-16);
    p = mad(t, p, -0x1.f1a7908695bccp-13);
    p = mad(t, p, 0x1.033f37e5a0c88p-9);
    p = mad(t, p, -0x1.48c9d227e250bp-7);
    p = mad(t, p, 0x1.5477f091bcd28p-5);
    p = mad(t, p, 0x1.afabc11a310b3p-1);
    p = mad(t, p, 0x1.51c9b0006c1a9p+1);
    p = mad(t, p, 0x1.d97fbf27aa2a2p+0);
    struct exp_reduced_d e = exp_reduce_d(-p);
    return 1.0 - quick_scale_d(exp_poly_d(e.r), (uint)e.k);
}

// erf: 1.47 ULP at -0x1.f780b0a05dfp-1.
LIB double erf(double x)
{
    double size = fabs(x);
    if (QUICK && size >= 1.0)
        return copysign(quick_erf_beyond_d(size), x);
    if (QUICK) // also for NaN
        return erf_poly_d(x);
    return size < 1.0 ? erf_poly_d(x) : copysign(1.0 - erfc_tail_d(size), x);
}

// erfc: 7.24 ULP at 0x1.e0eaffc472d67p+3.
LIB double erfc(double x)
{
    double size = fabs(x), tail = erfc_tail_d(size);
    tail = x < 0.0 ? 2.0 - tail : tail;
    return size < 1.0 ? 1.0 - erf_poly_d(x) : tail;
}
#endif
