kernel void k()
{
    char c = 1;
    char4 c4 = 1;
    uchar4 uc4 = 1;
    short4 s4 = 1;
    float4 f = 1;
    int4 i = 1;
    uint4 u4 = 1;
    long4 l4 = 1;
    double d = 1;
    double4 d4 = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    n = x < d; n = 3 > n; i = f < f; i = f >= 1; l4 = d4 < d4; c4 = uc4 == uc4; s4 = s4 != s4; i = u4 <= u4; n = c > u;
}
// SPDX-License-Identifier: Apache-2.0
