// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer float 1 -2 0.5 nan
// arg: out uint 4
// arg: out uchar 16
// arg: out float 2
// expect: arg1 uint 0x3f800000 0xc0000000 0x3f000000 *
// expect: arg2 uchar 0 0 0x80 0x3f 0 0 0 0xc0 0 0 0 0x3f * * * *
// expect: arg3 float 1 -2
kernel void k(global float4 *a, global uint4 *b, global uchar16 *c, global float2 *d)
{
    b[0] = as_uint4(a[0]);
    c[0] = as_uchar16(a[0]);
    ulong bits = as_ulong(a[0].xy);
    d[0] = as_float2(bits);
}
