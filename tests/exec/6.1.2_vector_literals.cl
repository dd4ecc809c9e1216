// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out float 4
// arg: out int 8
// expect: arg0 float 1 2 3 4
// expect: arg1 int 7 7 7 7 1 2 3 4
kernel void k(global float4 *a, global int8 *b)
{
    float2 lo = (float2)(1.0f, 2.0f);
    a[0] = (float4)(lo, 3.0f, 4.0f);
    b[0] = (int8)((int4)(7), 1, (int2)(2, 3), 4);
}
