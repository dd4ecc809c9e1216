// SPDX-License-Identifier: Apache-2.0
// Black-Scholes prices: exp, log, sqrt, erf and division at full precision.
kernel void black_scholes(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    size_t i = get_global_id(0);
    float price = a[i] * 50.0f + 5.0f, strike = b[i] * 50.0f + 5.0f, years = a[i] * 4.0f + 0.5f;
    float spread = 0.3f * sqrt(years);
    float d1 = (log(price / strike) + (0.02f + 0.045f) * years) / spread, d2 = d1 - spread;
    float n1 = 0.5f + 0.5f * erf(d1 * 0.70710678f), n2 = 0.5f + 0.5f * erf(d2 * 0.70710678f);
    out[i] = price * n1 - strike * exp(-0.02f * years) * n2;
}
