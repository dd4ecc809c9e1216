kernel void k()
{
    char c = 1;
    uchar uc = 1;
    short sh = 1;
    ushort us = 1;
    int4 i = 1;
    uint4 u4 = 1;
    size_t sz = 1;
    int n = 1;
    int m = 1;
    uint u = 1;
    u = abs(n); u4 = abs(i); u = abs_diff(n, m); n = add_sat(n, m); c = sub_sat(c, c); n = mul24(n, m); n = mad24(n, n, m);
    n = mul_hi(n, m); n = clz(n); n = popcount(n); i = rotate(i, i); u = upsample(us, us); sh = upsample(c, uc);
    n = hadd(n, n); n = rhadd(n, n); n = mad_hi(n, n, n); n = mad_sat(n, n, n); n = max(n, 1); i = max(i, 0); i = clamp(i, 0, 255); sz = max(sz, (size_t)1); c = min(c, (char)3);
}
// SPDX-License-Identifier: Apache-2.0
