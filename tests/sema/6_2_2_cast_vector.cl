kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    int n = 1;
    f = (float4)n; f = (float4)d; i = (int4)3.5f; f = (float4)f;
}
// SPDX-License-Identifier: Apache-2.0
