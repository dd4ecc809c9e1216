// SPDX-License-Identifier: Apache-2.0
// Loops that count the bits of values of every width, and some that only look like them.
// run: k global 4
// arg: buffer uint 0 0x80000001 0xff 0x12345678
// arg: out int 32
// expect: arg1 int 0 2 8 13  5 101 29 92  1 -31 -31 -28  0 4 16 26  0 1 8 15  0 1 8 7  0 1 49 8  0 1 8 21
kernel void k(global const uint *in, global int *out)
{
    size_t i = get_global_id(0);
    int n = 0;
    for (uint v = in[i]; v; v &= v - 1)
        n++;
    out[i] = n;
    ulong w = in[i];
    for (n = 5; w; w >>= 1)
        n += 3;
    out[4 + i] = n;
    uint v = in[i];
    for (n = 1; v != 0; v <<= 1)
        --n;
    out[8 + i] = n + (int)v;
    for (n = 0, w = (ulong)in[i] * 0x100000001ul; w; n++)
        w = (w - 1) & w;
    out[12 + i] = n;
    ushort s = in[i];
    for (n = 0; s; s >>= 1)
        n++;
    out[16 + i] = n;
    uchar c = in[i];
    for (n = 0; c; c >>= 1)
        n++;
    out[20 + i] = n;
    n = 0;
    for (v = in[i]; v; v &= v - 1) // what it adds depends on the round
        n += v & 15;
    out[24 + i] = n;
    for (n = 0, v = in[i] & 0x7fffffff; v; n++) // something else, too
        v = n == 20 ? 0 : v >> 1;
    out[28 + i] = n;
}
