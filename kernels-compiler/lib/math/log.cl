// SPDX-License-Identifier: Apache-2.0
// log, log2, log10, log1p: polynomials in f (own minimax fits) and k times the logarithm of 2 in
// two parts.
#include "lib.h"
#include "math/log_core.h"

// log: 0.92 ULP at 0x1.69f458p-1.
LIB float log(float x)
{
    struct log_reduced l = log_reduce(x);
    return log_result(x, log_sum(l.k, l.f));
}

// log2: 1.96 ULP at 0x1.6462c2p+0. Polynomial: 2^-25.0 relative.
LIB float log2(float x)
{
    struct log_reduced l = log_reduce(x);
    float f = l.f, p = mad(f, 0x1.027862p-3f, -0x1.a812ccp-3f);
    p = mad(f, p, 0x1.b9402cp-3f);
    p = mad(f, p, -0x1.e9655ep-3f);
    p = mad(f, p, 0x1.26dccep-2f);
    p = mad(f, p, -0x1.715c5p-2f);
    p = mad(f, p, 0x1.ec736ep-2f);
    p = mad(f, p, -0x1.71547p-1f);
    p = mad(f, p, 0x1.715476p0f);
    return log_result(x, f * p + l.k);
}

// log10: 1.75 ULP at 0x1.fb845p-1. Polynomial: 2^-24.4 relative; k * 0x1.344p-2f is exact.
LIB float log10(float x)
{
    struct log_reduced l = log_reduce(x);
    float f = l.f, p = mad(f, 0x1.35c2ccp-5f, -0x1.003644p-4f);
    p = mad(f, p, 0x1.0a6e14p-4f);
    p = mad(f, p, -0x1.268b5p-4f);
    p = mad(f, p, 0x1.62f07cp-4f);
    p = mad(f, p, -0x1.bcc1bep-4f);
    p = mad(f, p, 0x1.287ccap-3f);
    p = mad(f, p, -0x1.bcb7aap-3f);
    p = mad(f, p, 0x1.bcb7bp-2f);
    return log_result(x, l.k * 0x1.344p-2f + (f * p + l.k * 0x1.3509f8p-18f));
}

// log1p: 1.41 ULP at 0x1.bcfb42p-2.
LIB float log1p(float x)
{
    float y = log_result(1.0f + x, log1p_sum(x, 0.0f));
    return x == 0.0f ? x : y;
}
