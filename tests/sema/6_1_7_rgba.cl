// options: -cl-std=CL3.0
kernel void k()
{
    float4 f = 1;
    float2 f2 = 1;
    float x = 1;
    x = f.r;
    f.gb = f2;
}
// SPDX-License-Identifier: Apache-2.0
