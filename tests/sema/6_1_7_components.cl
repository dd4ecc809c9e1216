kernel void k()
{
    float4 f = 1;
    float3 f3 = 1;
    float2 f2 = 1;
    float8 f8 = 1;
    float16 f16 = 1;
    int n = 1;
    float x = 1;
    f.x = 1; f.xy = f2; f.wx = f2; f = f.xxyy; f.xy.x = 1; f.xyz.zx = f2;
    f.s01 = f2; f16.sabcd = f; f16.SA = 1; f = f16.s0f1E;
    f.lo = f2; f.hi = f2; f.even = f2; f.odd = f2; f = f8.lo; f2 = f8.hi.odd;
    f3 = f.xyz; f2 = f3.lo; f2 = f3.even; f = f.xyzx.wzyx;
    x = f.x; x = f[2]; f[n] = 1; x = f3.z;
}
// SPDX-License-Identifier: Apache-2.0
