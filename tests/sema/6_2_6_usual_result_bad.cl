kernel void k()
{
    char4 c4 = 1;
    float4 f = 1;
    double d = 1;
    c4 += 1;
    f += d;
}
// SPDX-License-Identifier: Apache-2.0
