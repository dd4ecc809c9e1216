// SPDX-License-Identifier: Apache-2.0
// run: k global 1
// arg: int 0..15
// arg: int 16..31
// arg: int 32..47
// arg: int 48..63
// arg: int 64..79
// arg: out int 3
// expect: arg5 int 160 15 79
kernel void k(int16 a, int16 b, int16 c, int16 d, int16 e, global int *out)
{
    int16 s = a + b + c + d + e;
    out[0] = s.s0;
    out[1] = a.sf;
    out[2] = e.sf;
}
