// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 1 2 3 4
// arg: out float 4
// expect: arg1 float 30 5 -3 6
kernel void k(global float4 *a, global float *b)
{
    float4 v = a[0];
    b[0] = dot(v, v);
    b[1] = dot(v.xy, v.xy);
    float3 c = cross(v.xyz, (float3)(0.0f, 1.0f, 0.0f));
    b[2] = c.x;
    b[3] = dot((float3)(1.0f), v.xyz);
}
