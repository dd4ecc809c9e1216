// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: char -1
// arg: uchar 255
// arg: short -300
// arg: ushort 65535
// arg: int -5
// arg: uint 4294967295
// arg: long -6000000000
// arg: ulong 18446744073709551615
// arg: float 1.5
// arg: out long 9
// expect: arg9 long -1 255 -300 65535 -5 4294967295 -6000000000 -1 1
kernel void k(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float x, global long *out)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = x;
}
