kernel void k()
{
    char c = 1;
    uchar uc = 1;
    uchar4 uc4 = 1;
    int4 i = 1;
    uint4 u4 = 1;
    size_t sz = 1;
    int n = 1;
    uint u = 1;
    n = n & 3 | 4 ^ u; i = i & 1; u4 = ~u4; n = ~c; i |= i; uc4 ^= uc; sz &= 7;
}
// SPDX-License-Identifier: Apache-2.0
