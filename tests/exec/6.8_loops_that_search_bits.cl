// SPDX-License-Identifier: Apache-2.0
// Loops that search for the first bit of values of every width, and one that only looks like them.
// run: k global 4
// arg: buffer uint 0 0x80000001 0xff 0xffffffff
// arg: out int 24
// expect: arg1 int 0 1 8 -1  64 30 30 30  0 1 8 8  100 70 100 1  20 20 19 20  16 16 1 1
int first_zero(uint v)
{
    for (int i = 0; i < 32; i++) {
        if ((v >> i) & 1)
            continue;
        return i;
    }
    return -1;
}

kernel void k(global const uint *in, global int *out)
{
    int g = get_global_id(0), i, found = 100;
    out[g] = first_zero(in[g]);
    ulong w = (ulong)in[g] << 30;
    for (i = 0; i != 64; i++)
        if (w >> i & 1)
            break;
    out[4 + g] = i;
    uchar c = in[g];
    for (i = 0; i <= 7; i++)
        if (!(c & 1 << i))
            break;
    out[8 + g] = i;
    uint v = in[g] >> 8;
    for (i = 0; i < 32; i++)
        if ((v & 1u << i) != 0) {
            found = i * 3 + 1;
            break;
        }
    out[12 + g] = found;
    v = in[g] << (19 + (g & 1));
    for (i = 0; i < 20; i++)
        if ((v >> i & 1) == 1)
            break;
    out[16 + g] = i;
    v = in[g] & ~1u;
    for (i = 0; i < 16; i++) {
        if (v >> i & 1)
            break;
        v >>= 1;
    }
    out[20 + g] = i;
}
