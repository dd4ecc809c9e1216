kernel void k()
{
    int4 i = 1;
    uint4 u4 = 1;
    double4 d4 = 1;
    int n = 1;
    n = i == 1;
    u4 = i == i;
    i = d4 < d4;
}
// SPDX-License-Identifier: Apache-2.0
