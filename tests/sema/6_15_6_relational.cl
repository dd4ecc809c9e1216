kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    long4 l4 = 1;
    double d = 1;
    double4 d4 = 1;
    int n = 1;
    float x = 1;
    n = isnan(x); i = isnan(f); l4 = isnan(d4); n = isnan(d); i = isequal(f, f); n = isgreater(x, x); n = signbit(x); n = any(i); n = all(f == f); n = any(n); f = bitselect(f, f, f); i = bitselect(i, i, i);
}
// SPDX-License-Identifier: Apache-2.0
