kernel void k()
{
    char c = 1;
    uchar4 uc4 = 1;
    int4 i = 1;
    uint4 u4 = 1;
    long L = 1;
    size_t sz = 1;
    int n = 1;
    uint u = 1;
    n = n << 1L; n = u >> c; i = i << 1; i = i >> u4; i <<= 1; sz <<= n; uc4 = uc4 >> (uchar)2; L = 1L << n;
}
// SPDX-License-Identifier: Apache-2.0
