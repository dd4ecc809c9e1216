kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    int2 i2 = 1;
    long4 l4 = 1;
    double4 d4 = 1;
    d4 = i ? d4 : d4;
    f = i2 ? f : f;
    l4 = (l4 > 0) ? 1 : 0;
}
// SPDX-License-Identifier: Apache-2.0
