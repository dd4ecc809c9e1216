// SPDX-License-Identifier: Apache-2.0
// -0 + 0 is 0, -0 - 0 is -0; a sum with a constant zero follows the same rules.
// run: k global 1
// arg: float -0.0
// arg: out int 10
// expect: arg1 int 0 0 0x80000000 0x80000000 0 0 0 0x40400000 0x40800000 0x7fc00000
kernel void k(float x, global int *r)
{
    r[0] = as_int(x + 0.0f);
    r[1] = as_int(0.0f + x);
    r[2] = as_int(x - 0.0f);
    r[3] = as_int(x + -0.0f);
    r[4] = as_int(0.0f - x);
    r[5] = as_int(x - -0.0f);
    float4 v = (float4)(x, x + 1, 2, NAN) + (float4)(0, 2, 2, 0);
    r[6] = as_int(v.x);
    r[7] = as_int(v.y);
    r[8] = as_int(v.z);
    r[9] = as_int(v.w) & 0x7fc00000;
}
