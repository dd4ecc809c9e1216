kernel void k()
{
    float4 f = 1;
    float3 f3 = 1;
    float2 f2 = 1;
    float x = 1;
    x = dot(f, f); x = dot(x, x); f3 = cross(f3, f3); x = length(f2); f = normalize(f); x = distance(f3, f3); x = fast_length(f);
}
// SPDX-License-Identifier: Apache-2.0
