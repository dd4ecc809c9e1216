kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    uint4 u4 = 1;
    long4 l4 = 1;
    double4 d4 = 1;
    int n = 1;
    float x = 1;
    f = select(f, f, i); f = select(f, f, u4); x = select(x, x, n); n = select(1, 2, n); d4 = select(d4, d4, l4); i = select(i, i, f < f);
}
// SPDX-License-Identifier: Apache-2.0
