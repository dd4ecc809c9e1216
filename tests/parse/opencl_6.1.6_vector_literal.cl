float4 f(float x, float2 v)
{
    return (float4)(x) + (float4)(v, v) + (float4)(v.yx, (float2)(x, 1)).wzyx + (float4)x;
}
int g(int x) { return (int)(x) + (int)-x * (x); }
// SPDX-License-Identifier: Apache-2.0
