kernel void k()
{
    char4 c4 = 1;
    short4 s4 = 1;
    float4 f = 1;
    float3 f3 = 1;
    float2 f2 = 1;
    int4 i = 1;
    int2 i2 = 1;
    long4 l4 = 1;
    double d = 1;
    double4 d4 = 1;
    long L = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    n = as_int(x); x = as_float(n); f = as_float4(i); i = as_int4(f); u = as_uint(f2.x);
    f3 = as_float3(i); i = as_int4(f3); L = as_long(d); s4 = as_short4(d); c4 = as_char4(n); l4 = as_long4(d4); i2 = as_int2(d);
}
// SPDX-License-Identifier: Apache-2.0
