kernel void k()
{
    uchar uc = 1;
    char4 c4 = 1;
    float4 f = 1;
    int4 i = 1;
    long4 l4 = 1;
    double4 d4 = 1;
    int n = 1;
    float x = 1;
    f = convert_float4(i); i = convert_int4(f); i = convert_int4_sat(f);
    c4 = convert_char4_sat_rte(f); x = convert_float_rtz(n); n = convert_int_rtn(x);
    f = convert_float4_rtp(l4); uc = convert_uchar_sat(x); uc = convert_uchar_sat(300); d4 = convert_double4(f);
}
// SPDX-License-Identifier: Apache-2.0
