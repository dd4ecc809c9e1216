// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: buffer uchar 0 1 2 255 128 5 6 7
// arg: out float 8
// arg: out long 8
// expect: arg1 float 0 1 2 255 128 5 6 7
// expect: arg2 long 0 1 2 -1 -128 5 6 7
kernel void k(global uchar8 *a, global float8 *b, global long8 *c)
{
    b[0] = convert_float8(a[0]);
    c[0] = convert_long8(as_char8(a[0]));
}
