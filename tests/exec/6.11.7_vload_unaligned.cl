// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer uchar 0..15
// arg: out uint 4
// expect: arg1 uint 4 8 12 16
kernel void k(global uchar *a, global uint *b)
{
    uchar4 v = vload4(0, a + 3) + vload4(0, a + 1);
    vstore4(convert_uint4(v) + (uint4)(0, 2, 4, 6), 0, b);
}
