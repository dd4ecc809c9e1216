kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    long4 l4 = 1;
    double4 d4 = 1;
    f = select(f, f, l4);
    d4 = select(d4, d4, i);
}
// SPDX-License-Identifier: Apache-2.0
