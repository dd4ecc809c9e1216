// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: out long 6
// arg: int -1
// arg: uint 1
// arg: uchar 200
// expect: arg0 long 0 1 4294967295 -1 400 -56
kernel void k(global long *out, int a, uint b, uchar c)
{
    out[0] = a < b;
    out[1] = a < (long)b;
    out[2] = (long)(uint)a;
    out[3] = (long)a;
    out[4] = c + c;
    out[5] = (char)c;
}
