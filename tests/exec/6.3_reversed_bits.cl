// SPDX-License-Identifier: Apache-2.0
// Bits and bytes of words that shifts and masks reverse, in stages, and some that they only nearly reverse.
// run: k global 2
// arg: buffer uint 0x12345678 0x80000001
// arg: out uint 10
// arg: out ulong 6
// expect: arg1 uint 0x1e6a2c48 0x80000001  0x78563412 0x1000080  0x2c481e6a 0x18000  0x78563412 0x1000080  0x78563402 0x1000080
// expect: arg2 ulong 0x1e56f8108e6a2c48 0x8100000182000001  0x786a1f0871563412 0x8100008041000080  0x786a1f0871563413 0x8100008041000081
uint in_nibbles(uint v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
}

kernel void k(global const uint *in, global uint *out, global ulong *longs)
{
    size_t i = get_global_id(0);
    uint v = in[i], r = in_nibbles(v);
    out[i] = r >> 16 | r << 16;
    out[2 + i] = v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
    out[4 + i] = r;
    out[6 + i] = (rotate(v, 8u) & 0x00ff00ff) | (rotate(v, 24u) & 0xff00ff00);
    out[8 + i] = (v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24) ^ (v & 0x10);
    ulong w = v * 0x100000001ul ^ (ulong)v << 7, x = w, y;
    x = (x >> 8 & 0x00ff00ff00ff00fful) | (x & 0x00ff00ff00ff00fful) << 8;
    x = (x >> 16 & 0x0000ffff0000fffful) | (x & 0x0000ffff0000fffful) << 16;
    x = x >> 32 | x << 32;
    y = (x >> 1 & 0x5555555555555555ul) | (x & 0x5555555555555555ul) << 1;
    y = (y >> 2 & 0x3333333333333333ul) | (y & 0x3333333333333333ul) << 2;
    longs[i] = (y >> 4 & 0x0f0f0f0f0f0f0f0ful) | (y & 0x0f0f0f0f0f0f0f0ful) << 4;
    longs[2 + i] = x;
    longs[4 + i] = x + 1;
}
