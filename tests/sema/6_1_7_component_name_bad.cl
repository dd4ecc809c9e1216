kernel void k()
{
    float4 f = 1;
    float x = 1;
    f.q = 1;
    f = f.sxy;
    x = f.xyzwx;
}
// SPDX-License-Identifier: Apache-2.0
