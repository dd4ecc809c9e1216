kernel void k()
{
    char c = 1;
    char4 c4 = 1;
    float4 f = 1;
    float3 f3 = 1;
    int4 i = 1;
    long4 l4 = 1;
    long L = 1;
    int n = 1;
    float x = 1;
    f = f * 2.0f; f = 2 * f; f = f + L; c4 = c4 + (char)1; c4 += c; f -= n; i = i * 3; l4 = l4 + n; f3 = f3 / x;
}
// SPDX-License-Identifier: Apache-2.0
