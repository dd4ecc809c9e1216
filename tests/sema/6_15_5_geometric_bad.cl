kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    float8 f8 = 1;
    int4 i = 1;
    float x = 1;
    x = dot(f8, f8);
    x = dot(i, i);
    f2 = cross(f2, f2);
    x = dot(f, f2);
}
// SPDX-License-Identifier: Apache-2.0
