kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    uint4 u4 = 1;
    long4 l4 = 1;
    double4 d4 = 1;
    f = i ? f : f; f = u4 ? f : 1.0f; d4 = l4 ? d4 : d4; f = (f > 0) ? f : 0; i = (i > 0) ? 1 : 0; f = i ? 1.0f : 2.0f;
}
// SPDX-License-Identifier: Apache-2.0
