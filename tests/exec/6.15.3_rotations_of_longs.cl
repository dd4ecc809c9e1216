// SPDX-License-Identifier: Apache-2.0
// Rotations of 64-bit integers by constants, as a call and written as shifts.
// run: k global 2
// arg: buffer ulong 0x123456789abcdef0 0x8000000000000001
// arg: out ulong 14
// expect: arg1 ulong 0x2468acf13579bde0 0x3 0x123456789abcdef 0x1800000000000000 0x4d5e6f78091a2b3c 0xc0000000 0x9abcdef012345678 0x180000000 0x3579bde02468acf1 0x300000000 0x91a2b3c4d5e6f78 0xc000000000000000 0x3c4d5e6f78091a2b 0xc00000
kernel void k(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong x = in[i];
    out[i] = rotate(x, 1ul);
    out[2 + i] = rotate(x, 60ul);
    out[4 + i] = x << 31 | x >> 33;
    out[6 + i] = rotate(x, 32ul);
    out[8 + i] = (x << 33) + (x >> 31);
    out[10 + i] = x >> 1 ^ x << 63;
    out[12 + i] = rotate(x, -41ul);
}
