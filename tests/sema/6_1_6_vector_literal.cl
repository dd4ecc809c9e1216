kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    float8 f8 = 1;
    float16 f16 = 1;
    int4 i = 1;
    float x = 1;
    f = (float4)(f2, f2);
    f = (float4)(1);
    f = (float4)(f2.x, 1, 2u, 3L);
    f = (float4)x;
    f8 = (float8)(f, f2, 1, 2);
    f16 = (float16)(f8, f8);
    i = (int4)(1, 2, (int2)(3, 4));
}
// SPDX-License-Identifier: Apache-2.0
