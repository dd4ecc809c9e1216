kernel void k()
{
    uchar4 uc4 = 1;
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    int n = 1;
    float x = 1;
    f = 1; f = d; i = x; f = n; uc4 = 255;
}
// SPDX-License-Identifier: Apache-2.0
