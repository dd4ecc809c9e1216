kernel void k()
{
    char4 c4 = 1;
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    long L = 1;
    float x = 1;
    c4 = c4 + 1;
    f = f * 2.0;
    i = i + x;
    i = i + L;
    f = d + f;
}
// SPDX-License-Identifier: Apache-2.0
