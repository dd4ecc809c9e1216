kernel void k()
{
    float4 f = 1;
    float3 f3 = 1;
    uint4 u4 = 1;
    double d = 1;
    uint u = 1;
    float x = 1;
    x = fabs(x); f = floor(f); d = ceil(d); f3 = trunc(f3); x = rint(x); f = round(f); x = copysign(x, -1.0f);
    x = fmin(x, 1); f = fmin(f, x); f = fmax(f, f); f = fmax(f, 0.0f); f = fmax(f, 1); x = fma(x, x, x); f = mad(f, f, f);
    f = sqrt(f); x = sqrt(2.0f); x = rsqrt(x); x = nan(u); f = nan(u4); f = maxmag(f, f); x = fdim(x, x);
    x = native_sin(x); f = native_cos(f); x = native_divide(x, x); f = half_sqrt(f); x = half_recip(x); f = native_powr(f, f);
}
// SPDX-License-Identifier: Apache-2.0
